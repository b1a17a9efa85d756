package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The account that {@code docs/security.md} gives to mykit-delay. */
public final class RedisAccount {
    private static final String PASSWORD = "acl-s3cret";
    private static final Pattern COMMAND = Pattern.compile("```\\s+(ACL SETUSER mykit-delay [^`]*?)\\s*```");

    private RedisAccount() {}

    /**
     * Makes it.
     *
     * @param prefix of the keys
     * @return the URI of the server for this account
     */
    public static String make(RedisServer server, String prefix) {
        server.command(documented()
                .replace("change-me", PASSWORD)
                .replace("io.mykit.delay", prefix)
                .split("\\s+"));
        server.command("ACL", "LOG", "RESET");
        return uri(server, PASSWORD);
    }

    /** The same with another password. */
    public static String uri(RedisServer server, String password) {
        return "redis://mykit-delay:" + password + "@127.0.0.1:" + server.port() + "/0";
    }

    /** The refusals since the account was made; an entry is a line of {@code ACL LOG}. */
    public static List<?> refusals(RedisServer server) {
        return (List<?>) server.command("ACL", "LOG");
    }

    private static String documented() {
        Path page = Path.of(System.getProperty("mykit.delay.repo", ".."), "docs", "security.md");
        try {
            Matcher command = COMMAND.matcher(Files.readString(page));
            if (!command.find()) {
                throw new IllegalStateException("no ACL SETUSER in " + page);
            }
            return command.group(1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
