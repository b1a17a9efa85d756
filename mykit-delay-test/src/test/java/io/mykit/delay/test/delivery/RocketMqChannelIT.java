package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.rocketmq.RocketMqChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("long")
class RocketMqChannelIT extends DeliveryChannelContract {
    @Override
    protected DeliveryChannel open() {
        return ChannelConfig.open(
                new RocketMqChannelFactory(),
                Map.of(
                        "rocketmq.namesrv-addr",
                        SharedServers.rocketMq().nameServerAddress(),
                        "delivery.send-timeout",
                        "10s"));
    }

    @Test
    void headersArriveAsUserPropertiesAndBytesAsTheBody() {
        String topic = Messages.newTopic();
        try (DeliveryChannel channel = open();
                Inbox inbox = inbox(topic)) {
            assertThat(channel.deliver(topic, List.of(withHeadersAndBytes(topic))))
                    .containsExactly(Delivery.DELIVERED);
            Arrival arrival = inbox.await(1, Duration.ofSeconds(40)).get(0);
            assertThat(arrival.body()).isEqualTo("\u00e9\u0000x");
            assertThat(arrival.properties()).containsEntry("trace-id", "\u4e2d \uD83D\uDE00");
        }
    }

    /** The bytes are UTF-8, so that the inbox can show them as a text. */
    private static DelayMessage withHeadersAndBytes(String topic) {
        return Messages.message("extras-" + topic, topic, "s", "k", "w6kAeA==")
                .withExtras(ExtrasBuilder.extras()
                        .binary(true)
                        .headers(Map.of("trace-id", "\u4e2d \uD83D\uDE00"))
                        .build());
    }

    @Override
    protected Inbox inbox(String topic) {
        return new RocketMqInbox(SharedServers.rocketMq().nameServerAddress(), topic);
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.message("bad", topic, "a||b", "", "x"));
    }
}
