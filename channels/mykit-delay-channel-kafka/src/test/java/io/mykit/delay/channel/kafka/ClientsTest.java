package io.mykit.delay.channel.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The clients need no broker to be made. */
class ClientsTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    @Test
    void aProducerThatIsBrokenIsReplacedOnce() {
        Clients clients = clients();
        try {
            Clients.Current first = clients.get();
            assertThat(clients.get()).isSameAs(first);

            clients.broken(first);
            Clients.Current second = clients.get();
            clients.broken(first);

            assertThat(second).isNotSameAs(first);
            assertThat(clients.get()).isSameAs(second);
        } finally {
            clients.close();
        }
    }

    @Test
    void afterTheCloseThereIsNone() {
        Clients clients = clients();
        clients.get();
        clients.close();
        clients.close();
        assertThatIllegalStateException().isThrownBy(clients::get).withMessage("the channel is closed");
    }

    private static Clients clients() {
        ChannelSettings settings =
                ChannelSettings.of("kafka", KafkaSettings.keys(), Map.of("bootstrap-servers", "127.0.0.1:1"), TIMEOUT);
        return new Clients(ClientProperties.of(new KafkaSettings(settings)), TIMEOUT);
    }
}
