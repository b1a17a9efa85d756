package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.channel.rocketmq.RocketMqChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.SharedServers;
import java.util.Map;
import java.util.Optional;

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

    @Override
    protected Inbox inbox(String topic) {
        return new RocketMqInbox(SharedServers.rocketMq().nameServerAddress(), topic);
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.message("bad", topic, "a||b", "", "x"));
    }
}
