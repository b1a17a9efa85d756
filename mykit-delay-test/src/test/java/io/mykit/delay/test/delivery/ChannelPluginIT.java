package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.queue.delivery.Channels;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A channel that is not the server's own: found by its service file, used by its name, with its own settings. */
class ChannelPluginIT {
    @Test
    void isFoundByNameAndGetsItsOwnSettings() {
        String topic = Messages.newTopic();
        DelayMessage small = Messages.message("small-" + topic, topic, "", "", "12345");
        DelayMessage large = Messages.message("large-" + topic, topic, "", "", "123456");
        LoadedConfig loaded = ChannelConfig.of(Map.of(
                "delivery.default-channel", "console", "delivery.topics." + topic, "memory", "memory.max-length", "5"));

        try (Channels channels = channels(loaded)) {
            List<Delivery> fates = channels.route(topic).channel().deliver(topic, List.of(small, large));

            assertThat(fates).containsExactly(Delivery.DELIVERED, Delivery.refused("longer than 5"));
            assertThat(MemoryChannelFactory.DELIVERED).contains(small).doesNotContain(large);
            assertThat(channels.check().details()).containsEntry("memory", Map.of("up", true, "maxLength", 5));
        }
    }

    @Test
    void isAmongTheNamesThatAnUnknownOneIsToldAbout() {
        LoadedConfig loaded = ChannelConfig.of(Map.of("delivery.default-channel", "rabbit"));
        assertThatThrownBy(() -> channels(loaded))
                .hasMessageContaining("mykit.delay.delivery.default-channel = rabbit")
                .hasMessageContaining("activemq, console, grpc, kafka, memory, rabbitmq, rocketmq, webhook");
    }

    private static Channels channels(LoadedConfig loaded) {
        return Channels.open(loaded.config().delivery(), loaded.channels(), new SimpleMeterRegistry());
    }
}
