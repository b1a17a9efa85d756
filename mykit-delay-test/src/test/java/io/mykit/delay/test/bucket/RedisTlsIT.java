package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.server.SharedServers;
import io.mykit.delay.test.server.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rediss://}: the redis-server of the tests has no TLS, so a proxy with a certificate stands before it. */
@Tag("long")
class RedisTlsIT {
    private static final String TRUST_STORE = "javax.net.ssl.trustStore";
    private static final String TRUST_PASSWORD = "javax.net.ssl.trustStorePassword";

    @TempDir
    private Path dir;

    private final Queue<AutoCloseable> sockets = new ConcurrentLinkedQueue<>();
    private Path store;
    private ServerSocket proxy;

    @BeforeEach
    void start() throws Exception {
        store = TestCertificate.make(dir, "redis", "ip:127.0.0.1").store();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, TestCertificate.PASSWORD.toCharArray());
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, TestCertificate.PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        proxy = context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        sockets.add(proxy);
        daemon(this::accept);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable socket : sockets) {
            socket.close();
        }
        System.clearProperty(TRUST_STORE);
        System.clearProperty(TRUST_PASSWORD);
    }

    @Test
    void worksWithACertificateThatTheJvmTrusts() {
        trust();
        try (MessageIndex index = open("127.0.0.1")) {
            await().until(() -> index.check().up());
            assertThat(push(index)).isEqualTo(ScheduleOutcome.SCHEDULED);
            index.purge(Refs.first("tls"));
        }
    }

    @Test
    void refusesACertificateThatNobodyVouchesFor() {
        assertThatThrownBy(() -> open("127.0.0.1"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("PKIX path")
                .hasMessageContaining("trustStore")
                .hasMessageContaining("mykit.delay.redis.uri");
    }

    @Test
    void refusesTheCertificateOfAnotherHost() {
        trust();
        assertThatThrownBy(() -> open("localhost"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("No name matching localhost found")
                .hasMessageContaining("mykit.delay.redis.uri");
    }

    @Test
    void tlsAndPlainAreToldApart() {
        trust();
        String userInfo = userInfo();
        assertThatThrownBy(() ->
                        new IndexSettings("redis://" + userInfo + "127.0.0.1:" + proxy.getLocalPort(), "tls").open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("use rediss:// in mykit.delay.redis.uri");
        int plain = SharedServers.redis().port();
        assertThatThrownBy(() -> new IndexSettings("rediss://" + userInfo + "127.0.0.1:" + plain, "tls").open())
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("use redis:// instead of rediss:// in mykit.delay.redis.uri");
    }

    private void trust() {
        System.setProperty(TRUST_STORE, store.toString());
        System.setProperty(TRUST_PASSWORD, TestCertificate.PASSWORD);
    }

    private MessageIndex open(String host) {
        return new IndexSettings("rediss://" + userInfo() + host + ":" + proxy.getLocalPort(), "tls").open();
    }

    private static String userInfo() {
        String plain = SharedServers.redis().uri();
        return plain.substring("redis://".length(), plain.lastIndexOf('@') + 1);
    }

    private static ScheduleOutcome push(MessageIndex index) {
        return index.schedule(List.of(message("tls", "t", index.timeMs() + 60_000)))
                .get(0);
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = proxy.accept();
            Socket redis = new Socket(
                    InetAddress.getLoopbackAddress(), SharedServers.redis().port());
            sockets.add(client);
            sockets.add(redis);
            daemon(() -> copy(client, redis));
            daemon(() -> copy(redis, client));
        }
    }

    private static void copy(Socket from, Socket to) throws IOException {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        }
    }

    private static void daemon(Copying body) {
        Threads.daemon("tls", () -> {
                    try {
                        body.run();
                    } catch (IOException e) {
                        // The other side is gone, or the test is over.
                        Thread.currentThread().interrupt();
                    }
                })
                .start();
    }

    private interface Copying {
        void run() throws IOException;
    }
}
