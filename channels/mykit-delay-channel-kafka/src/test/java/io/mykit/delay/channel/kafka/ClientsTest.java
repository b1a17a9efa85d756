package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.channel.ChannelSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With TLS the clients need no broker to be made. */
class ClientsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    /** With a server that is there. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Test
    void aProducerThatIsBrokenIsReplacedOnce() throws Exception {
        Clients clients = clients(Map.of("bootstrap-servers", "127.0.0.1:1", "tls", "true"));
        try {
            Clients.Current first = await(clients.get());
            assertThat(await(clients.get())).isSameAs(first);

            clients.broken(first);
            Clients.Current second = await(clients.get());
            clients.broken(first);

            assertThat(second).isNotSameAs(first);
            assertThat(await(clients.get())).isSameAs(second);
        } finally {
            clients.close();
        }
    }

    @Test
    void afterTheCloseThereIsNone() throws Exception {
        Clients clients = clients(Map.of("bootstrap-servers", "127.0.0.1:1", "tls", "true"));
        await(clients.get());
        clients.close();
        clients.close();
        assertThatThrownBy(() -> await(clients.get())).hasMessageContaining("the channel is closed");
    }

    /** The client library would allocate as many bytes as the first four of the answer say. */
    @ParameterizedTest
    @ValueSource(strings = {"\u0015\u0003\u0003\u0000\u0002", "HTTP/1.1 400"})
    void noClientIsMadeForAServerThatDoesNotSpeakKafka(String answer) throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<?> unused = CompletableFuture.runAsync(() -> answer(other, answer));
            Clients clients = clients(Map.of("bootstrap-servers", "127.0.0.1:" + other.getLocalPort()));
            assertThatThrownBy(() -> await(clients.get()))
                    .hasMessageContaining("does not speak Kafka without TLS")
                    .hasMessageContaining("mykit.delay.kafka.tls");
            clients.close();
        }
    }

    /** What was attached to the future last runs first: the failed opening is not forgotten yet. */
    @Test
    void anOldProducerMayBreakWhileTheNextOneCannotBeMade() throws Exception {
        Clients.Current old = new Clients.Current(null, null, null, null);
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Clients clients = clients(Map.of("bootstrap-servers", "127.0.0.1:" + other.getLocalPort()));
            CompletableFuture<String> told = clients.get().handle((made, failure) -> {
                clients.broken(old);
                return failure == null ? "made" : "failed";
            });
            CompletableFuture<?> unused = CompletableFuture.runAsync(() -> answer(other, "HTTP/1.1 400"));
            assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo("failed");
            clients.close();
        }
    }

    @Test
    void aBrokerThatIsAwayIsTold() {
        Clients clients = clients(Map.of("bootstrap-servers", "127.0.0.1:1"));
        assertThatThrownBy(() -> await(clients.get())).hasMessageContaining("no broker answers at 127.0.0.1:1");
        clients.close();
    }

    private static void answer(ServerSocket server, String answer) {
        try (Socket socket = server.accept()) {
            OutputStream out = socket.getOutputStream();
            out.write(answer.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            // Until the other side closes.
            socket.getInputStream().readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Clients.Current await(CompletableFuture<Clients.Current> made) throws Exception {
        return made.get(30, TimeUnit.SECONDS);
    }

    private static Clients clients(Map<String, String> given) {
        ChannelSettings settings = ChannelSettings.of("kafka", KafkaSettings.keys(), given, TIMEOUT);
        return new Clients(ClientProperties.of(new KafkaSettings(settings)), PATIENCE);
    }
}
