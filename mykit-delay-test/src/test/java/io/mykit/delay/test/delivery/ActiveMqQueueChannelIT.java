package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.activemq.ActiveMqChannelFactory;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.server.SharedServers;
import java.util.Map;
import java.util.Optional;

class ActiveMqQueueChannelIT extends DeliveryChannelContract {
    @Override
    protected DeliveryChannel open() {
        return ChannelConfig.open(
                new ActiveMqChannelFactory(),
                Map.of(
                        "activemq.broker-url", SharedServers.activeMq().url(),
                        "activemq.destination", "queue",
                        "delivery.send-timeout", "10s"));
    }

    @Override
    protected Inbox inbox(String topic) {
        return ActiveMqInbox.ofQueue(SharedServers.activeMq().url(), topic);
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        return Optional.of(Messages.batch(topic, 1, 5 * 1024 * 1024).get(0));
    }
}
