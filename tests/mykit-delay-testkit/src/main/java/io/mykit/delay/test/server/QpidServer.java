package io.mykit.delay.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Apache Qpid Broker-J as a process of its own, with durable queues; see {@link QpidBrokerMain}. For one thread at a time. */
public final class QpidServer implements AmqpBroker {
    /** What it takes by default. */
    public static final int MAX_MESSAGE_BYTES = 16 << 20;

    private static final String CONFIGURATION = """
            {"name": "test", "modelVersion": "9.1",
             "authenticationproviders": [{"name": "plain", "type": "Plain", "secureOnlyMechanisms": "[]",
               "users": [{"name": "guest", "type": "managed", "password": "guest"}]}],
             %s
             "ports": [{"name": "AMQP", "port": "%d", "bindingAddress": "127.0.0.1", "protocols": ["AMQP_0_9_1"],
               "authenticationProvider": "plain", %s
               "virtualhostaliases": [{"name": "nameAlias", "type": "nameAlias"},
                 {"name": "defaultAlias", "type": "defaultAlias"}]}],
             "virtualhostnodes": [{"name": "default", "type": "JSON", "defaultVirtualHostNode": "true",
               "virtualHostInitialConfiguration": "{\\"type\\": \\"DERBY\\"}"}]}
            """;

    private static final String KEY_STORE =
            "\"keystores\": [{\"name\": \"own\", \"type\": \"FileKeyStore\", \"storeUrl\": \"%s\", \"password\": \"%s\"}],";
    private static final String WITH_TLS = "\"transports\": [\"SSL\"], \"keyStore\": \"own\",";

    private final Path dir;
    private final int port = FreePorts.next();
    private final int maxMessageBytes;
    private final boolean tls;
    private final boolean synced;
    private ServerProcess process;

    private QpidServer(Path dir, int maxMessageBytes, String keyStore, boolean synced) {
        this.synced = synced;
        this.dir = dir.toAbsolutePath();
        this.maxMessageBytes = maxMessageBytes;
        this.tls = !keyStore.isEmpty();
        try {
            Files.createDirectories(this.dir);
            Files.writeString(configuration(), CONFIGURATION.formatted(keyStore, port, tls ? WITH_TLS : ""));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a broker that does not wait for the disk: for tests that do not kill it. */
    public static QpidServer start(Path dir) {
        return started(new QpidServer(dir, MAX_MESSAGE_BYTES, "", false));
    }

    /**
     * Starts a broker whose confirmed messages survive a kill.
     *
     * @param maxMessageBytes the largest message that it takes
     */
    public static QpidServer start(Path dir, int maxMessageBytes) {
        return started(new QpidServer(dir, maxMessageBytes, "", true));
    }

    /** Knows its port, but nothing runs before {@link #restart()}. */
    public static QpidServer prepare(Path dir) {
        return new QpidServer(dir, MAX_MESSAGE_BYTES, "", false);
    }

    /** Starts a broker that speaks TLS only. */
    public static QpidServer startTls(Path dir, TestCertificate certificate) {
        String keyStore = KEY_STORE.formatted(certificate.store(), TestCertificate.PASSWORD);
        return started(new QpidServer(dir, MAX_MESSAGE_BYTES, keyStore, false));
    }

    private static QpidServer started(QpidServer server) {
        server.restart();
        return server;
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
        close();
        List<String> jvm = List.of(
                "-Xmx256m",
                "-XX:MaxDirectMemorySize=256m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dderby.stream.error.file=" + dir.resolve("derby.log"),
                "-Dderby.system.durability=" + (synced ? "default" : "test"),
                "-Dlogback.configurationFile=io/mykit/delay/test/server/logback-server.xml");
        List<String> arguments =
                List.of(dir.toString(), configuration().toUri().toString(), Integer.toString(maxMessageBytes));
        process = ServerProcess.startJava("qpid", dir, jvm, QpidBrokerMain.class.getName(), arguments);
        process.awaitReady(this::letsIn);
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
    }

    private Path configuration() {
        return dir.resolve("initial-config.json");
    }

    private boolean letsIn() throws Exception {
        return tls ? process.log().contains("started") : AmqpBroker.letsIn(port);
    }
}
