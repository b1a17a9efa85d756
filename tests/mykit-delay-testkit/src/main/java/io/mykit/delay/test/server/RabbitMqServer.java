package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Debian's RabbitMQ as a process of its own, with an epmd of its own; both listen on 127.0.0.1 alone. Maven cannot bring it, so tests
 * skip themselves where it is missing. For one thread at a time.
 */
public final class RabbitMqServer implements AmqpBroker {
    /** Where Debian's packages rabbitmq-server and erlang-* are unpacked. */
    private static final String ROOT = "RABBITMQ_TREE";

    private final Path usr;
    private final Path scripts;
    private final Path dir;
    private final int port = FreePorts.next();
    private final int epmdPort = FreePorts.next();
    private final int nodePort = FreePorts.next();
    private final List<String> settings;
    private ServerProcess epmd;
    private ServerProcess process;

    private RabbitMqServer(Path scripts, Path dir, List<String> settings) {
        this.usr = usr();
        this.scripts = scripts;
        this.dir = dir.toAbsolutePath();
        this.settings = settings;
    }

    /** Whether the program is installed, or unpacked. */
    public static boolean isInstalled() {
        return scripts().isPresent();
    }

    /** What a user may do who reads that a test was skipped. */
    public static String reason() {
        return "rabbitmq-server is not installed, and not unpacked at $" + ROOT;
    }

    /** Starts a broker. */
    public static RabbitMqServer start(Path dir) {
        return start(dir, List.of());
    }

    /**
     * Starts a broker.
     *
     * @param settings lines of {@code rabbitmq.conf}
     */
    public static RabbitMqServer start(Path dir, List<String> settings) {
        RabbitMqServer server =
                new RabbitMqServer(scripts().orElseThrow(() -> new IllegalStateException(reason())), dir, settings);
        try {
            server.prepare();
            server.restart();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * The lines that make a broker speak TLS on a second port.
     *
     * @param port a free one
     */
    public static List<String> tls(TestCertificate certificate, int port) {
        return List.of(
                "listeners.ssl.1 = 127.0.0.1:" + port,
                "ssl_options.cacertfile = " + certificate.chain(),
                "ssl_options.certfile = " + certificate.chain(),
                "ssl_options.keyfile = " + certificate.key(),
                "ssl_options.verify = verify_none");
    }

    private static Path usr() {
        return Path.of(System.getenv().getOrDefault(ROOT, "/")).resolve("usr");
    }

    private static Optional<Path> scripts() {
        Path servers = usr().resolve("lib/rabbitmq/lib");
        if (!Files.isDirectory(servers)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(servers)) {
            return versions.map(version -> version.resolve("sbin"))
                    .filter(sbin -> Files.isExecutable(sbin.resolve("rabbitmq-server")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void prepare() {
        try {
            Files.createDirectories(dir);
            Path cookie = Files.writeString(dir.resolve(".erlang.cookie"), "mykitdelaytest");
            Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
            Files.writeString(dir.resolve("enabled_plugins"), "[].\n");
            Path erl = Files.writeString(
                    Files.createDirectories(dir.resolve("bin")).resolve("erl"), erl());
            Files.setPosixFilePermissions(erl, PosixFilePermissions.fromString("rwx------"));
            List<String> lines = new ArrayList<>(List.of("listeners.tcp.1 = 127.0.0.1:" + port));
            lines.addAll(settings);
            Files.write(dir.resolve("rabbitmq.conf"), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command =
                List.of(usr.resolve("lib/erlang/bin/epmd").toString(), "-port", Integer.toString(epmdPort));
        epmd = ServerProcess.start("epmd", dir, command, environment());
    }

    /** The program erl, which by itself knows no other place than /usr/lib. */
    private String erl() throws IOException {
        Path root = usr.resolve("lib/erlang");
        try (Stream<Path> parts = Files.list(root)) {
            Path programs = parts.filter(part -> part.getFileName().toString().startsWith("erts-"))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no Erlang at " + root))
                    .resolve("bin");
            return "#!/bin/sh\nexport ROOTDIR='%s' BINDIR='%s' EMU=beam PROGNAME=erl\nexec '%s/erlexec' \"$@\"\n"
                    .formatted(root, programs, programs);
        }
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public void restart() {
        if (process != null) {
            process.close();
        }
        process = ServerProcess.start(
                "rabbitmq", dir, List.of(scripts.resolve("rabbitmq-server").toString()), environment());
        process.awaitReady(() -> AmqpBroker.letsIn(port));
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

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
        if (epmd != null) {
            epmd.close();
        }
    }

    /** Runs rabbitmqctl, such as {@code add_vhost shop}. */
    public String control(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(scripts.resolve("rabbitmqctl").toString(), "-q"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment());
        try {
            Process control = builder.start();
            control.getOutputStream().close();
            try (InputStream output = control.getInputStream()) {
                String said = new String(output.readAllBytes(), StandardCharsets.UTF_8);
                if (control.waitFor() != 0) {
                    throw new IllegalStateException("rabbitmqctl: " + said);
                }
                return said;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The variable ALLOW_INPUT makes the script become the server: no shell stands between this process and its signals. */
    private Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        environment.put("HOME", dir.toString());
        environment.put("PATH", dir.resolve("bin") + ":" + System.getenv("PATH"));
        environment.put("LANG", "C.UTF-8");
        environment.put("ERL_EPMD_ADDRESS", "127.0.0.1");
        environment.put("ERL_EPMD_PORT", Integer.toString(epmdPort));
        environment.put("RABBITMQ_NODENAME", "test" + port + "@localhost");
        environment.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
        environment.put("RABBITMQ_NODE_PORT", Integer.toString(port));
        environment.put("RABBITMQ_DIST_PORT", Integer.toString(nodePort));
        environment.put("RABBITMQ_MNESIA_BASE", dir.resolve("mnesia").toString());
        environment.put("RABBITMQ_LOG_BASE", dir.resolve("log").toString());
        environment.put("RABBITMQ_CONFIG_FILE", dir.resolve("rabbitmq").toString());
        environment.put(
                "RABBITMQ_ENABLED_PLUGINS_FILE", dir.resolve("enabled_plugins").toString());
        environment.put("RABBITMQ_PID_FILE", dir.resolve("pid").toString());
        environment.put("RABBITMQ_ALLOW_INPUT", "true");
        environment.put(
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
                "-noinput -kernel inet_dist_use_interface {127,0,0,1} +sbwt none +S 2:2");
        return environment;
    }
}
