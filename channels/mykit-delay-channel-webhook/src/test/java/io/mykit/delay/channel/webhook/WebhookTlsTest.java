package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.hosts.HostResolver;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real TLS: the certificate is for hook.example, and the resolver says that each name is this machine. */
class WebhookTlsTest {
    private static final String PASSWORD = "changeit";
    private static final HostResolver HERE = host -> List.of(InetAddress.getLoopbackAddress());

    private static final List<String> VERSIONS = new CopyOnWriteArrayList<>();

    @TempDir
    static Path dir;

    private static Vertx vertx;
    private static HttpServer server;

    @BeforeAll
    static void start() throws Exception {
        keytool("-genkeypair", "-alias", "hook", "-keyalg", "EC", "-dname", "CN=hook.example");
        keytool(
                "-exportcert",
                "-rfc",
                "-alias",
                "hook",
                "-file",
                dir.resolve("hook.pem").toString());
        vertx = Vertx.vertx();
        server = listen(true);
    }

    private static HttpServer listen(boolean http2) throws Exception {
        PfxOptions certificate =
                new PfxOptions().setPath(dir.resolve("server.p12").toString()).setPassword(PASSWORD);
        return vertx.createHttpServer(new HttpServerOptions()
                        .setSsl(true)
                        .setSni(true)
                        .setUseAlpn(http2)
                        .setKeyCertOptions(certificate))
                .requestHandler(request -> {
                    VERSIONS.add(request.version() + " " + request.authority().host());
                    request.response().setStatusCode(204).end();
                })
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    @AfterAll
    static void stop() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void aKnownCertificateOfTheNameIsTrusted() throws Exception {
        VERSIONS.clear();
        try (AsyncDeliveryChannel channel = open(HERE, "url", url("hook.example"), "trust-store", trusted())) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(VERSIONS).containsExactly("HTTP_2 hook.example");
        }
    }

    @Test
    void aReceiverWithoutHttp2GetsHttp1() throws Exception {
        VERSIONS.clear();
        HttpServer old = listen(false);
        try (AsyncDeliveryChannel channel = open(HERE, "url", url("hook.example", old), "trust-store", trusted())) {
            assertThat(send(channel, message("1"))).isEqualTo(Delivery.DELIVERED);
            assertThat(VERSIONS).containsExactly("HTTP_1_1 hook.example");
        }
    }

    @Test
    void anUnknownCertificateIsNoConnection() throws Exception {
        try (AsyncDeliveryChannel channel = open(HERE, "url", url("hook.example"))) {
            Delivery fate = send(channel, message("1"));
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail()).startsWith("no connection: ");
        }
    }

    @Test
    void aCertificateOfAnotherNameIsNoConnection() throws Exception {
        try (AsyncDeliveryChannel channel = open(HERE, "url", url("other.example"), "trust-store", trusted())) {
            assertThat(send(channel, message("1")).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
        }
    }

    private static String url(String host) {
        return url(host, server);
    }

    private static String url(String host, HttpServer at) {
        return "https://" + host + ":" + at.actualPort() + "/hook";
    }

    private static String trusted() {
        return dir.resolve("hook.pem").toString();
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-keystore", dir.resolve("server.p12").toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (arguments[0].equals("-genkeypair")) {
            command.addAll(List.of("-ext", "san=dns:hook.example"));
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
