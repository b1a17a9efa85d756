package io.mykit.delay.test.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.alibaba.fastjson2.JSONObject;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.test.client.DelayClient;
import io.mykit.delay.test.server.DelayServer;
import io.mykit.delay.test.server.FreePorts;
import io.mykit.delay.test.server.TestCertificate;
import io.mykit.delay.v1.DelayServiceGrpc;
import io.mykit.delay.v1.Message;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS of the ports for HTTP and gRPC, on the packaged server. */
@Tag("long")
class TlsIT {
    private static final String HOST = "ip:127.0.0.1";
    /** The files are looked at every two seconds and used at the second look. The rest is patience. */
    private static final Duration RELOAD = Duration.ofSeconds(30);
    /** A handshake has ten seconds. The rest is patience. */
    private static final Duration HANDSHAKE = Duration.ofSeconds(40);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path dir;

    private static final int GRPC = FreePorts.next();
    private static TestCertificate first;
    private static TestCertificate second;
    private static Path chain;
    private static Path key;
    private static DelayServer server;

    @BeforeAll
    static void start() throws IOException {
        first = TestCertificate.make(dir, "first", HOST);
        second = TestCertificate.make(dir, "second", HOST);
        chain = dir.resolve("tls.crt");
        key = dir.resolve("tls.key");
        use(first.chain(), first.key());
        Files.writeString(dir.resolve("both.pem"), Files.readString(first.chain()) + Files.readString(second.chain()));
        server = DelayServer.startSecure("tls", dir.resolve("tls"), settings(GRPC), trusting(first, second));
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static Map<String, String> settings(int grpc) {
        return Map.of(
                "http.tls.certificate",
                chain.toString(),
                "http.tls.key",
                key.toString(),
                "grpc-api.port",
                "" + grpc,
                "delivery.default-channel",
                "pull");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void servesEachVersionOfTls(String version) throws Exception {
        try (SSLSocket socket = connect(server.port(), trusting(first, second))) {
            socket.setEnabledProtocols(new String[] {version});
            assertThat(ask(socket)).startsWith("HTTP/1.1 200");
            assertThat(socket.getSession().getProtocol()).isEqualTo(version);
        }
    }

    @Test
    void nobodyElsesCertificateIsTakenForTheServers() {
        TestCertificate other = TestCertificate.make(dir, "other", HOST);
        assertThatThrownBy(() -> connect(server.port(), trusting(other)).startHandshake())
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("PKIX path");
    }

    @Test
    void theJavaClientNeedsOneSettingForAnAuthorityOfYourOwn() {
        io.mykit.delay.client.DelayClient.Builder builder = io.mykit.delay.client.DelayClient.builder()
                .endpoint("https://127.0.0.1:" + server.port())
                .retryFor(Duration.ZERO);
        io.mykit.delay.client.Message message = io.mykit.delay.client.Message.builder("t")
                .id("java-client")
                .body("hello")
                .delay(Duration.ofHours(1))
                .build();
        assertThatThrownBy(() -> builder.build().push(message)).hasStackTraceContaining("PKIX path");
        assertThat(builder.trust(dir.resolve("both.pem")).build().push(message)).isEqualTo("java-client");
        assertThatThrownBy(() -> builder.trust(dir.resolve("missing.pem")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("missing.pem");
    }

    /** It tries plain text first, and knows no setting of TLS. */
    @Test
    void theHealthCheckOfTheImageFindsOutByItself() throws Exception {
        // Whether its first write ends before the port cuts it off differs from one run to the next.
        for (int i = 0; i < 10; i++) {
            assertThat(healthScript(server, Map.of())).isZero();
        }
        assertThat(healthScript(server, Map.of(), "ready")).isZero();
        assertThat(healthScript(server, Map.of(), "nothing")).isNotZero();
    }

    private static int healthScript(DelayServer asked, Map<String, String> more, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(
                0,
                Path.of(System.getProperty("mykit.delay.repo", ".."))
                        .resolve("deploy/docker/health.sh")
                        .toString());
        ProcessBuilder script = new ProcessBuilder(command).inheritIO();
        script.environment().put("MYKIT_DELAY_HTTP_PORT", "" + asked.port());
        script.environment().putAll(more);
        return script.start().waitFor();
    }

    @Test
    void healthAndMetricsTellWhenTheCertificateExpires() {
        JSONObject tls = check();
        assertThat(tls.getBoolean("up")).isTrue();
        JSONObject details = tls.getJSONObject("details");
        assertThat(details.getIntValue("daysLeft")).isEqualTo(1);
        assertThat(details.getBooleanValue("clientsNeedCertificate")).isFalse();
        assertThat(server.client().metric("mykit_delay_tls_certificate_expires_seconds"))
                .isBetween(86_400.0, 2 * 86_400.0);
        assertThat(server.log()).contains("listens on https://127.0.0.1:" + server.port());
    }

    @Test
    void programsThatSpeakPlainTextAreCutOff() throws Exception {
        try (HostileClients clients = new HostileClients(server.port())) {
            for (String said : List.of(
                    "GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
                    "\u0000\u0000\u0000\u0000\u0000\u0000",
                    "\u0016\u0003\u0001\u0000\u0005nonsense",
                    "\u0016\u0003\u0003\uffff",
                    "")) {
                assertThat(clients.speak(said.getBytes(ISO_8859_1))).as(said).doesNotContain("HTTP/1.1 200");
            }
        }
        ManagedChannel plain =
                NettyChannelBuilder.forAddress("127.0.0.1", GRPC).usePlaintext().build();
        try {
            assertThatThrownBy(() -> push(plain, "plain"))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            failure -> assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        } finally {
            plain.shutdownNow();
        }
        assertThat(server.client().get("/health/ready").status()).isEqualTo(200);
    }

    /**
     * Pushes go on all the time, over lasting connections and over new ones; none fails, although many clients begin a handshake and do
     * not go on, and these are cut off.
     */
    @Test
    void newFilesServeNewConnectionsAndNoRequestFails() throws Exception {
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger pushed = new AtomicInteger();
        ConcurrentLinkedQueue<Object> failures = new ConcurrentLinkedQueue<>();
        SSLContext trust = trusting(first, second);
        List<Thread> load = new ArrayList<>();
        List<Socket> slow = hangingHandshakes(400);
        try (SSLSocket old = connect(server.port(), trust);
                DelayChannel grpc = new DelayChannel(GRPC, trust)) {
            try {
                assertThat(ask(old)).startsWith("HTTP/1.1 200");
                Certificate before = shown(server.port());
                load.add(load(stop, failures, () -> {
                    int n = pushed.incrementAndGet();
                    check(server.client().push(message("lasting-" + n)).status(), failures);
                }));
                load.add(load(stop, failures, () -> {
                    int n = pushed.incrementAndGet();
                    check(
                            DelayClient.secure(server.port(), trust)
                                    .push(message("new-" + n))
                                    .status(),
                            failures);
                }));
                load.add(load(stop, failures, () -> push(grpc.channel(), "grpc-" + pushed.incrementAndGet())));

                // The key first, so that the two do not fit for a while.
                Files.copy(second.key(), key, StandardCopyOption.REPLACE_EXISTING);
                Files.copy(second.chain(), chain, StandardCopyOption.REPLACE_EXISTING);
                await().atMost(RELOAD)
                        .until(() -> !shown(server.port()).equals(before)
                                && !shown(GRPC).equals(before));
                assertThat(shown(server.port())).isEqualTo(shown(GRPC));
                assertThat(check().getBoolean("up")).isTrue();

                Files.writeString(key, Files.readString(first.key()));
                await().atMost(RELOAD).until(() -> !check().getBoolean("up"));
                assertThat(check().getJSONObject("details").getString("reason"))
                        .contains(key.toString(), "is not the key of this certificate");
                assertThat(server.client().health().dataObject().getString("status"))
                        .isEqualTo("DEGRADED");
                assertThat(server.client().get("/health/ready").status()).isEqualTo(200);
                assertThat(server.client().metric("mykit_delay_tls_files_refused"))
                        .isEqualTo(1);
                assertThat(server.client().metric("mykit_delay_tls_reloads_total{outcome=\"refused\""))
                        .isEqualTo(1);
                assertThat(shown(server.port())).as("the one in use").isNotEqualTo(before);
                assertThat(server.log().lines().filter(line -> line.contains("certificate files are not used")))
                        .hasSize(1)
                        .allSatisfy(line -> assertThat(line).contains("ERROR", "CN=second", key.toString()));

                use(first.chain(), first.key());
                await().atMost(RELOAD)
                        .until(() -> shown(server.port()).equals(before)
                                && shown(GRPC).equals(before));
                assertThat(check().getBoolean("up")).isTrue();
                assertThat(server.client().metric("mykit_delay_tls_files_refused"))
                        .isZero();
                assertThat(ask(old)).as("a connection from before the changes").startsWith("HTTP/1.1 200");
                for (Socket socket : slow) {
                    assertThat(isCutOff(socket))
                            .as("connection %s", slow.indexOf(socket))
                            .isTrue();
                }
            } finally {
                stop.set(true);
                for (Thread thread : load) {
                    thread.join(TimeUnit.SECONDS.toMillis(60));
                }
                for (Socket socket : slow) {
                    socket.close();
                }
            }
        }
        assertThat(failures).isEmpty();
        assertThat(pushed).hasValueGreaterThan(50);
    }

    @Test
    void clientsNeedACertificateOfTheirAuthority() throws Exception {
        TestCertificate client = TestCertificate.make(dir, "client", HOST);
        TestCertificate stranger = TestCertificate.make(dir, "stranger", HOST);
        int grpc = FreePorts.next();
        Map<String, String> settings = new HashMap<>(settings(grpc));
        settings.put("http.tls.certificate", first.chain().toString());
        settings.put("http.tls.key", first.key().toString());
        settings.put("http.tls.client-ca", client.chain().toString());
        SSLContext known = TestCertificate.client(Optional.of(client), first);
        try (DelayServer strict = DelayServer.startSecure("mutual", dir.resolve("mutual"), settings, known);
                DelayChannel channel = new DelayChannel(grpc, known)) {
            assertThat(strict.client().push(message("mutual")).status()).isEqualTo(200);
            push(channel.channel(), "grpc-mutual");
            assertThat(healthScript(strict, Map.of())).isNotZero();
            assertThat(healthScript(
                            strict,
                            Map.of(
                                    "MYKIT_DELAY_PROBE_CERTIFICATE",
                                            client.chain().toString(),
                                    "MYKIT_DELAY_PROBE_KEY", client.key().toString())))
                    .isZero();
            for (SSLContext refused : List.of(trusting(first), TestCertificate.client(Optional.of(stranger), first))) {
                assertThatThrownBy(
                                () -> DelayClient.secure(strict.port(), refused).get("/health/live"))
                        .isInstanceOf(UncheckedIOException.class);
                try (DelayChannel unknown = new DelayChannel(grpc, refused)) {
                    assertThatThrownBy(() -> push(unknown.channel(), "refused", 3))
                            .isInstanceOf(StatusRuntimeException.class);
                }
            }
            assertThat(strict.client().get("/job/refused").status()).isEqualTo(404);
        }
    }

    private static void use(Path newChain, Path newKey) throws IOException {
        Files.copy(newChain, chain, StandardCopyOption.REPLACE_EXISTING);
        Files.copy(newKey, key, StandardCopyOption.REPLACE_EXISTING);
    }

    private static SSLContext trusting(TestCertificate... certificates) {
        return TestCertificate.client(Optional.empty(), certificates);
    }

    private static JSONObject check() {
        return server.client().health().dataObject().getJSONObject("checks").getJSONObject("tls");
    }

    private static SSLSocket connect(int port, SSLContext context) throws IOException {
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) HANDSHAKE.toMillis());
        return socket;
    }

    /** The certificate that a new connection gets. */
    private static Certificate shown(int port) throws IOException {
        try (SSLSocket socket = connect(port, trusting(first, second))) {
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0];
        }
    }

    /** The first bytes of the answer to a request; the connection stays open. */
    private static String ask(Socket socket) throws IOException {
        socket.getOutputStream().write("GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(ISO_8859_1));
        byte[] answer = new byte[4096];
        int length = socket.getInputStream().read(answer);
        return new String(answer, 0, Math.max(0, length), ISO_8859_1);
    }

    /** On both ports: connections that say nothing, and those that begin a handshake and do not go on. */
    private static List<Socket> hangingHandshakes(int count) throws IOException {
        byte[] begun = {0x16, 3, 1, 1, 0, 1, 0, 0, (byte) 0xfc, 3, 3};
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), i % 2 == 0 ? server.port() : GRPC);
            slow.add(socket);
            if (i % 4 < 2) {
                socket.getOutputStream().write(begun);
            }
        }
        return slow;
    }

    private static boolean isCutOff(Socket socket) throws IOException {
        socket.setSoTimeout((int) HANDSHAKE.toMillis());
        try (InputStream in = socket.getInputStream()) {
            in.readAllBytes();
            return true;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static Map<String, Object> message(String id) {
        return Map.of("topic", "t", "id", id, "delay", 3_600_000);
    }

    private static void push(ManagedChannel channel, String id) {
        push(channel, id, 30);
    }

    private static void push(ManagedChannel channel, String id, int seconds) {
        DelayServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(seconds, TimeUnit.SECONDS)
                .push(Message.newBuilder()
                        .setTopic("t")
                        .setId(id)
                        .setDelay(3_600_000)
                        .build());
    }

    private static void check(int status, ConcurrentLinkedQueue<Object> failures) {
        if (status != 200) {
            failures.add(status);
        }
    }

    private static Thread load(AtomicBoolean stop, ConcurrentLinkedQueue<Object> failures, Runnable push) {
        Thread thread = Threads.daemon("load", () -> {
            while (!stop.get()) {
                try {
                    push.run();
                } catch (RuntimeException e) {
                    failures.add(e);
                }
            }
        });
        thread.start();
        return thread;
    }

    /** A client of gRPC with TLS. */
    private record DelayChannel(ManagedChannel channel) implements AutoCloseable {
        DelayChannel(int port, SSLContext context) {
            this(NettyChannelBuilder.forAddress("127.0.0.1", port)
                    .sslContext(new JdkSslContext(
                            context,
                            true,
                            null,
                            (ciphers, defaults, supported) -> defaults.toArray(String[]::new),
                            new ApplicationProtocolConfig(
                                    Protocol.ALPN,
                                    SelectorFailureBehavior.NO_ADVERTISE,
                                    SelectedListenerFailureBehavior.ACCEPT,
                                    "h2"),
                            ClientAuth.NONE,
                            null,
                            false))
                    .build());
        }

        @Override
        public void close() {
            channel.shutdownNow();
        }
    }
}
