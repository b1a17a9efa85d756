package io.mykit.delay.test.server;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.activemq.ActiveMQConnectionFactory;

/** An ActiveMQ broker as a process of its own, see {@link ActiveMqBrokerMain}. For one thread at a time. */
public final class ActiveMqServer implements Breakable {
    private static final List<String> SMALL = List.of("-Xmx192m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Path dir;
    private final int port = FreePorts.next();
    private final String connectorOptions;
    private final List<String> jvmOptions;
    private final String user;
    private final String password;
    private final String scheme;
    private ServerProcess process;

    private ActiveMqServer(
            Path dir, String connectorOptions, List<String> jvmOptions, String user, String password, String scheme) {
        this.dir = dir.toAbsolutePath();
        this.connectorOptions = connectorOptions;
        this.jvmOptions = jvmOptions;
        this.user = user;
        this.password = password;
        this.scheme = scheme;
    }

    /** Starts a broker that accepts every client. */
    public static ActiveMqServer start(Path dir) {
        return start(dir, "", "", "");
    }

    /**
     * Starts a broker.
     *
     * @param connectorOptions such as {@code ?wireFormat.maxFrameSize=100000}
     * @param user empty: every client may do everything
     */
    public static ActiveMqServer start(Path dir, String connectorOptions, String user, String password) {
        ActiveMqServer server = prepare(dir, connectorOptions, user, password);
        server.restart();
        return server;
    }

    /** Knows its port, but nothing runs before {@link #restart()}. */
    public static ActiveMqServer prepare(Path dir, String connectorOptions, String user, String password) {
        return new ActiveMqServer(dir, connectorOptions, SMALL, user, password, "tcp");
    }

    /** Starts a broker that speaks TLS and knows one account. */
    public static ActiveMqServer startTls(Path dir, TestCertificate certificate, String user, String password) {
        List<String> options = Stream.concat(
                        SMALL.stream(),
                        Stream.of(
                                "-D" + ActiveMqBrokerMain.SCHEME + "=ssl",
                                "-Djavax.net.ssl.keyStore=" + certificate.store(),
                                "-Djavax.net.ssl.keyStorePassword=" + TestCertificate.PASSWORD,
                                "-Djavax.net.ssl.trustStore=" + certificate.store(),
                                "-Djavax.net.ssl.trustStorePassword=" + TestCertificate.PASSWORD))
                .toList();
        ActiveMqServer server = new ActiveMqServer(dir, "", options, user, password, "ssl");
        server.restart();
        return server;
    }

    /** Starts a broker that accepts every client, and can be told to refuse some messages. */
    public static ActiveMqServer startMoody(Path dir) {
        List<String> options = Stream.concat(
                        SMALL.stream(),
                        Stream.of(Refusals.of(dir.toAbsolutePath()).jvmOption()))
                .toList();
        ActiveMqServer server = new ActiveMqServer(dir, "", options, "", "", "tcp");
        server.restart();
        return server;
    }

    /**
     * Starts a broker for measurements: with its scheduler, and with a Java as it comes but for the heap.
     *
     * @param heap such as {@code 1g}
     */
    public static ActiveMqServer startForLoad(Path dir, String heap) {
        List<String> options = List.of("-Xmx" + heap, "-D" + ActiveMqBrokerMain.SCHEDULER + "=true");
        ActiveMqServer server = new ActiveMqServer(dir, "", options, "", "", "tcp");
        server.restart();
        return server;
    }

    public int port() {
        return port;
    }

    /** {@code tcp://127.0.0.1:port}, or with {@code ssl}. */
    public String url() {
        return scheme + "://127.0.0.1:" + port;
    }

    /** Starts it (again) on the same port and data; returns when a client was let in. */
    @Override
    public void restart() {
        close();
        process = ServerProcess.startJava(
                "activemq",
                dir,
                Stream.concat(
                                jvmOptions.stream(),
                                Stream.of("-Dlogback.configurationFile=io/mykit/delay/test/server/logback-server.xml"))
                        .toList(),
                ActiveMqBrokerMain.class.getName(),
                List.of(dir.resolve("data").toString(), Integer.toString(port), connectorOptions, user, password));
        process.awaitReady(this::letsIn);
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

    /** Every third message is refused from now on; only for {@link #startMoody}. */
    public void refuseSome() {
        Refusals.of(dir).begin();
    }

    public void takeAll() {
        Refusals.of(dir).end();
    }

    /** The output of the broker so far. */
    public String log() {
        return process.log();
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
        }
    }

    private boolean letsIn() throws Exception {
        if (scheme.equals("ssl")) {
            return process.log().contains("started");
        }
        try (var connection = new ActiveMQConnectionFactory(url()).createConnection(user, password)) {
            connection.start();
            return true;
        }
    }
}
