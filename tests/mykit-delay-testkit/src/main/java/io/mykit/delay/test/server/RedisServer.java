package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * A redis-server process, brought by the Maven artifact embedded-redis. Keeps nothing on disk unless told to. The
 * password is in its configuration file and not on its command line.
 */
public final class RedisServer implements Breakable {
    private static final String VERSION = "7.0.15";

    private final Path dir;
    private final int port;
    private final String password;
    private final List<String> arguments;
    private final Map<String, String> environment;
    private ServerProcess process;

    private RedisServer(Path dir, int port, String password, List<String> arguments, Map<String, String> environment) {
        this.dir = dir;
        this.port = port;
        this.password = password;
        this.arguments = arguments;
        this.environment = environment;
    }

    /**
     * Starts one and waits until it answers.
     *
     * @param password empty = none
     * @param settings lines of redis.conf, such as {@code maxmemory 10mb}
     */
    public static RedisServer start(Path dir, String password, String... settings) {
        return start(dir, FreePorts.next(), password, List.of(), Arrays.asList(settings));
    }

    static RedisServer start(Path dir, int port, String password, List<String> arguments, List<String> settings) {
        RedisServer server = new RedisServer(dir.toAbsolutePath(), port, password, arguments, Map.of());
        server.writeFiles(settings);
        server.bring(RedisServer::brought);
        server.restart();
        return server;
    }

    /** The same with a program of this machine. */
    static RedisServer start(Path dir, String password, RedisProgram program, List<String> settings) {
        RedisServer server =
                new RedisServer(dir.toAbsolutePath(), FreePorts.next(), password, List.of(), program.environment());
        server.writeFiles(settings);
        server.bring(() -> Files.newInputStream(program.file()));
        server.restart();
        return server;
    }

    public int port() {
        return port;
    }

    public HostAndPort address() {
        return new HostAndPort("127.0.0.1", port);
    }

    /** The address, with the password. */
    public String uri() {
        return "redis://" + userInfo(password) + "127.0.0.1:" + port + "/0";
    }

    /** Runs a command on a connection of its own. */
    public Object command(String... words) {
        // FLUSHALL of millions takes seconds.
        DefaultJedisClientConfig.Builder config =
                DefaultJedisClientConfig.builder().timeoutMillis(60_000);
        if (!password.isEmpty()) {
            config.password(password);
        }
        try (Connection connection = new Connection(address(), config.build())) {
            String[] rest = Arrays.copyOfRange(words, 1, words.length);
            connection.sendCommand(Protocol.Command.valueOf(words[0]), rest);
            return connection.getOne();
        }
    }

    /** The value of a field of INFO, such as {@code used_memory}. */
    public String info(String field) {
        return info().filter(line -> line.startsWith(field + ":"))
                .map(line -> line.substring(field.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Whether it is a replica whose link to its master is up. A sentinel that makes a server a replica cuts the connections of its
     * clients: while that happens, the link is not up.
     */
    public boolean isLinked() {
        try {
            return info().anyMatch("master_link_status:up"::equals);
        } catch (JedisConnectionException e) {
            return false;
        }
    }

    private Stream<String> info() {
        return new String((byte[]) command("INFO", "everything"), StandardCharsets.UTF_8).lines();
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void kill() {
        process.kill();
    }

    @Override
    public void freeze() {
        process.freeze();
    }

    @Override
    public void thaw() {
        process.thaw();
    }

    /** Starts it again, on the same port, with its data on disk. */
    @Override
    public void restart() {
        if (process != null) {
            process.kill();
        }
        List<String> command = new ArrayList<>();
        command.add(program().toString());
        command.add(dir.resolve("redis.conf").toString());
        command.addAll(arguments);
        process = ServerProcess.start("redis-" + port, dir, command, environment);
        process.awaitReady(() -> command("PING") != null);
    }

    @Override
    public void close() {
        process.close();
    }

    static String userInfo(String password) {
        return password.isEmpty() ? "" : ":" + URLEncoder.encode(password, StandardCharsets.UTF_8) + "@";
    }

    private void writeFiles(List<String> settings) {
        List<String> lines = new ArrayList<>(
                List.of("port " + port, "bind 127.0.0.1", "dir " + dir, "save \"\"", "appendonly no", "daemonize no"));
        if (!password.isEmpty()) {
            lines.add("requirepass \"" + password.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        lines.addAll(settings);
        try {
            Files.createDirectories(dir);
            Path conf = dir.resolve("redis.conf");
            Files.write(conf, lines);
            Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void bring(Callable<InputStream> opener) {
        try (InputStream in = opener.call()) {
            Files.copy(in, program(), StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(program(), PosixFilePermissions.fromString("rwx------"));
        } catch (Exception e) {
            throw new IllegalStateException("no redis-server", e);
        }
    }

    private static InputStream brought() {
        InputStream in = RedisServer.class.getResourceAsStream(resource());
        if (in == null) {
            throw new IllegalStateException("no redis-server for this machine: " + resource());
        }
        return in;
    }

    private Path program() {
        return dir.resolve("redis-server");
    }

    private static String resource() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac") ? "darwin" : "linux";
        String arch = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
        return "/redis-server-" + VERSION + "-" + os + "-" + arch;
    }
}
