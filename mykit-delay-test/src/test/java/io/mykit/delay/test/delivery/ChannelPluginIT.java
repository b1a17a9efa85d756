package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.delivery.Channels;
import io.mykit.delay.queue.delivery.Delivery;
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
        DelayConfig config = ChannelConfig.of(Map.of(
                "delivery.default-channel",
                "console",
                "delivery.topics." + topic,
                "memory",
                "channels.memory.max-length",
                "5"));

        try (Channels channels = new Channels(config)) {
            List<Delivery> fates = channels.route(topic).channel().deliver(topic, List.of(small, large));

            assertThat(fates).containsExactly(Delivery.DELIVERED, Delivery.refused("longer than 5"));
            assertThat(MemoryChannelFactory.DELIVERED).contains(small).doesNotContain(large);
            assertThat(channels.check().details()).containsEntry("memory", Map.of("up", true, "maxLength", 5));
        }
    }

    @Test
    void isAmongTheNamesThatAnUnknownOneIsToldAbout() {
        DelayConfig config = ChannelConfig.of(Map.of("delivery.default-channel", "rabbit"));
        assertThatThrownBy(() -> new Channels(config))
                .hasMessageContaining("mykit.delay.delivery.default-channel = rabbit")
                .hasMessageContaining("activemq, console, memory, rocketmq");
    }
}
