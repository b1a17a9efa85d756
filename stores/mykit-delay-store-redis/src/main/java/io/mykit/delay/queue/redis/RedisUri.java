package io.mykit.delay.queue.redis;

import io.mykit.delay.common.value.Secret;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import redis.clients.jedis.HostAndPort;

/**
 * The address of Redis, from {@code mykit.delay.redis.uri}. Its text form leaves out user and password.
 *
 * @param user empty = the default user
 * @param password empty = none
 * @param hosts one server, the sentinels, or some nodes of the cluster
 * @param master the name of the master at the sentinels; empty unless {@link Mode#SENTINEL}
 */
record RedisUri(
        Mode mode, boolean tls, Secret user, Secret password, List<HostAndPort> hosts, String master, int database) {
    static final String FORMS = "redis://[[user]:password@]host[:port][/db], rediss://... (TLS),"
            + " redis-sentinel://[[user]:password@]host[:port],.../master[/db]"
            + " or redis-cluster://[[user]:password@]host[:port],...";

    /** The kind of Redis. */
    enum Mode {
        SINGLE(6379),
        SENTINEL(26379),
        CLUSTER(6379);

        private final int defaultPort;

        Mode(int defaultPort) {
            this.defaultPort = defaultPort;
        }
    }

    /**
     * @throws IllegalArgumentException that names the key and the accepted forms, but not the value, because it may contain
     *     a password
     */
    static RedisUri parse(Secret uri) {
        String text = uri.reveal().strip();
        int schemeEnd = text.indexOf("://");
        if (schemeEnd < 0) {
            throw bad("it has no scheme");
        }
        String rest = text.substring(schemeEnd + 3);
        int at = rest.lastIndexOf('@');
        String[] credentials = credentials(at < 0 ? "" : rest.substring(0, at), at >= 0);
        String[] path = rest.substring(at + 1).split("/", -1);
        String scheme = text.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
        Mode mode =
                switch (scheme) {
                    case "redis", "rediss" -> Mode.SINGLE;
                    case "redis-sentinel" -> Mode.SENTINEL;
                    case "redis-cluster" -> Mode.CLUSTER;
                    default -> throw bad("its scheme is not known");
                };
        List<HostAndPort> hosts = hosts(path[0], mode);
        int parts = mode == Mode.SENTINEL ? 3 : mode == Mode.SINGLE ? 2 : 1;
        boolean slashAtEnd = path.length == parts + 1 && path[parts].isEmpty();
        if (path.length > parts && !slashAtEnd) {
            throw bad("its path has too many parts");
        }
        if (mode == Mode.SENTINEL && (path.length < 2 || path[1].isEmpty())) {
            throw bad("it names no master");
        }
        return new RedisUri(
                mode,
                scheme.equals("rediss"),
                new Secret(credentials[0]),
                new Secret(credentials[1]),
                hosts,
                mode == Mode.SENTINEL ? decode(path[1]) : "",
                mode == Mode.CLUSTER || path.length < parts ? 0 : number(path[parts - 1], "database", 1_000_000, 0));
    }

    private static String[] credentials(String text, boolean given) {
        int colon = text.indexOf(':');
        if (given && colon < 0) {
            throw bad("there is no ':' before the password");
        }
        return given
                ? new String[] {decode(text.substring(0, colon)), decode(text.substring(colon + 1))}
                : new String[] {"", ""};
    }

    private static List<HostAndPort> hosts(String text, Mode mode) {
        List<HostAndPort> hosts = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            // An IPv6 address is in brackets: the port begins only at a colon after the brackets.
            int colon = one.lastIndexOf(':');
            boolean hasPort = colon > one.lastIndexOf(']');
            String host = hasPort ? one.substring(0, colon) : one;
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            if (host.isBlank()) {
                throw bad("it has an empty host");
            }
            hosts.add(new HostAndPort(
                    host, hasPort ? number(one.substring(colon + 1), "port", 65_535, 1) : mode.defaultPort));
        }
        if (mode == Mode.SINGLE && hosts.size() > 1) {
            throw bad("it has several hosts");
        }
        return List.copyOf(hosts);
    }

    private static int number(String text, String what, int max, int min) {
        if (text.isEmpty() && what.equals("database")) {
            return 0;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw bad("its " + what + " is not a number");
        }
        throw bad("its " + what + " is out of range");
    }

    private static String decode(String text) {
        try {
            // A plus stays a plus here: it means a space only in HTML forms.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad("it has a % that is not followed by two hexadecimal digits");
        }
    }

    private static IllegalArgumentException bad(String reason) {
        return new IllegalArgumentException(
                "mykit.delay.redis.uri cannot be used: " + reason + "; accepted are " + FORMS);
    }
}
