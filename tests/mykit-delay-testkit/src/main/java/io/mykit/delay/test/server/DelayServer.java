package io.mykit.delay.test.server;

import io.mykit.delay.test.client.DelayClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;

/**
 * The packaged server, started by its own script as a user would start it.
 *
 * <p>{@code exec} in the script makes the started process the JVM itself, so freezing and killing hit it directly.
 */
public final class DelayServer implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(15);
    /** Options of the JVM, as in JAVA_OPTS, for servers that live for a minute and whose speed is not measured. */
    public static final String SHORT_LIVED = "-Xmx384m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private final String name;
    private final Path dir;
    private final int port;
    private final List<String> command;
    private final String javaOptions;
    private final DelayClient client;
    private ServerProcess process;

    private DelayServer(String name, Path dir, int port, List<String> command, String javaOptions, DelayClient client) {
        this.name = name;
        this.dir = dir;
        this.port = port;
        this.command = command;
        this.javaOptions = javaOptions;
        this.client = client;
    }

    /**
     * Starts a server and waits until it accepts pushes.
     *
     * @param name for the log file
     * @param dir its working directory; its data directory is {@code data} below it
     * @param settings keys without the prefix {@code mykit.delay.}
     */
    public static DelayServer start(String name, Path dir, Map<String, String> settings) {
        return start(name, dir, settings, SHORT_LIVED);
    }

    /**
     * The same, with options of the JVM.
     *
     * @param javaOptions as in JAVA_OPTS
     */
    public static DelayServer start(String name, Path dir, Map<String, String> settings, String javaOptions) {
        DelayServer server = prepare(name, dir, settings, javaOptions);
        server.restart();
        return server;
    }

    /** The same, but nothing runs before {@link #restart()} or {@link #begin}. */
    public static DelayServer prepare(String name, Path dir, Map<String, String> settings, String javaOptions) {
        return prepare(home(), name, dir, settings, javaOptions);
    }

    /** The same, with another distribution, unpacked at {@code home}. */
    public static DelayServer prepare(
            Path home, String name, Path dir, Map<String, String> settings, String javaOptions) {
        return prepare(home, name, dir, settings, javaOptions, Optional.empty());
    }

    /** Starts a server with TLS. Its client has these certificates. */
    public static DelayServer startSecure(String name, Path dir, Map<String, String> settings, SSLContext context) {
        DelayServer server = prepare(home(), name, dir, settings, SHORT_LIVED, Optional.of(context));
        server.restart();
        return server;
    }

    private static DelayServer prepare(
            Path home,
            String name,
            Path dir,
            Map<String, String> settings,
            String javaOptions,
            Optional<SSLContext> secrets) {
        int port = FreePorts.next();
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin/mykit-delay").toString());
        command.add("--mykit.delay.http.port=" + port);
        settings.forEach((key, value) -> command.add("--mykit.delay." + key + "=" + value));
        DelayClient client =
                secrets.map(context -> DelayClient.secure(port, context)).orElseGet(() -> new DelayClient(port));
        return new DelayServer(name, dir, port, command, javaOptions, client);
    }

    /** Where the build unpacked the distribution, with its archive of classes. */
    public static Path home() {
        Path home = Path.of(System.getProperty("mykit.delay.home", "mykit.delay.home is not set"));
        if (!Files.isExecutable(home.resolve("bin/mykit-delay"))) {
            throw new IllegalStateException("no distribution at " + home + "; run the build of mykit-delay-core first");
        }
        RecordedClasses.ensure(home);
        return home;
    }

    /** Starts it again, on the same port and data. */
    public void restart() {
        begin("");
        awaitReady();
    }

    /** After {@link #begin}: waits until it accepts pushes. */
    public void awaitReady() {
        process.awaitReady(() -> client.get("/health/ready").status() == 200);
    }

    /**
     * The same, but returns at once: it may never get ready.
     *
     * @param moreJavaOptions for this life only
     */
    public void begin(String moreJavaOptions) {
        process = ServerProcess.start(
                name, dir, command, Map.of("JAVA_OPTS", (javaOptions + " " + moreJavaOptions).strip()));
    }

    /** Waits until it has ended by itself; returns the exit code, or nothing if it did not within the timeout. */
    public OptionalInt awaitExit(Duration timeout) {
        return process.awaitEnd(timeout) ? OptionalInt.of(process.exitCode()) : OptionalInt.empty();
    }

    public DelayClient client() {
        return client;
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    public int port() {
        return port;
    }

    public boolean isLeader() {
        return client.isLeader();
    }

    /** SIGTERM, as Ctrl-C or a service manager does; returns the exit code. */
    public int stop() {
        return process.stop(Duration.ofSeconds(30));
    }

    /** The same, but returns at once. */
    public void terminate() {
        process.terminate();
    }

    public long pid() {
        return process.pid();
    }

    public void kill() {
        process.kill();
    }

    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public String log() {
        return process.log();
    }

    /** In good order if it can, so that its embedded parts end with it; killed otherwise. */
    @Override
    public void close() {
        if (process == null) {
            return;
        }
        process.terminate();
        process.awaitEnd(GRACE);
        process.close();
    }
}
