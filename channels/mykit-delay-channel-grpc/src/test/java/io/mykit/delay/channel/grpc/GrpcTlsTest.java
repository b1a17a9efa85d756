package io.mykit.delay.channel.grpc;

import static io.mykit.delay.channel.grpc.TestChannels.message;
import static io.mykit.delay.channel.grpc.TestChannels.open;
import static io.mykit.delay.channel.grpc.TestChannels.send;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.grpc.TlsServerCredentials;
import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.hosts.HostResolver;
import java.net.InetAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real TLS: the certificate is for calls.example, and the resolver says that each name is this machine. */
class GrpcTlsTest {
    private static final String PASSWORD = "changeit";
    private static final HostResolver HERE = host -> List.of(InetAddress.getLoopbackAddress());

    @TempDir
    static Path dir;

    private static CallServer server;

    @BeforeAll
    static void start() throws Exception {
        keytool("-genkeypair", "-keyalg", "EC", "-dname", "CN=calls.example", "-ext", "san=dns:calls.example");
        keytool("-exportcert", "-rfc", "-file", dir.resolve("calls.pem").toString());
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                KeyStore.getInstance(dir.resolve("server.p12").toFile(), PASSWORD.toCharArray()),
                PASSWORD.toCharArray());
        server = new CallServer(
                (got, call) -> CallServer.end(call, Status.OK),
                TlsServerCredentials.newBuilder()
                        .keyManager(keys.getKeyManagers())
                        .build());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aKnownCertificateOfTheNameIsTrusted() throws Exception {
        assertThat(fate("calls.example", "trust-store", dir.resolve("calls.pem").toString()))
                .isEqualTo(Delivery.DELIVERED);
        assertThat(server.calls().get(0).authority()).isEqualTo("calls.example:" + server.port());
    }

    @Test
    void anotherNameAndAnUnknownCertificateAreNot() throws Exception {
        for (Delivery fate : List.of(
                fate("other.example", "trust-store", dir.resolve("calls.pem").toString()), fate("calls.example"))) {
            assertThat(fate.kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            assertThat(fate.detail()).startsWith("no connection: ");
        }
    }

    private static Delivery fate(String host, String... more) throws Exception {
        List<String> settings = new ArrayList<>(
                List.of("host", "grpcs://" + host + ":" + server.port(), "service", "shop.Orders", "method", "Cancel"));
        settings.addAll(List.of(more));
        try (AsyncDeliveryChannel channel = open(HERE, settings.toArray(String[]::new))) {
            return send(channel, message("1"));
        }
    }

    private static void keytool(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of(
                "-alias", "calls", "-keystore", dir.resolve("server.p12").toString()));
        command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
