package io.mykit.delay.queue.delivery.rocketmq;

import io.mykit.delay.config.RocketMqConfig;
import io.mykit.delay.queue.delivery.ChannelSettings;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.delivery.DeliveryChannelFactory;
import java.time.Duration;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;

/** {@code rocketmq}: reads {@code mykit.delay.rocketmq.*}. */
public final class RocketMqChannelFactory implements DeliveryChannelFactory {
    private static final String ADDRESS_KEY = "mykit.delay.rocketmq.namesrv-addr";
    private static final Pattern ADDRESSES = Pattern.compile("[^;:\\s]+:\\d{1,5}(;[^;:\\s]+:\\d{1,5})*");

    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        RocketMqConfig config = settings.config().rocketmq();
        String addresses = config.namesrvAddr()
                .map(String::strip)
                .orElseThrow(() -> new IllegalArgumentException(
                        ADDRESS_KEY + " is missing: the channel rocketmq needs host:port;host:port"));
        if (!ADDRESSES.matcher(addresses).matches()) {
            throw new IllegalArgumentException(
                    ADDRESS_KEY + " = " + addresses + ": must be host:port, more than one separated by ;");
        }
        try {
            Validators.checkGroup(config.producerGroup());
        } catch (MQClientException e) {
            throw new IllegalArgumentException(
                    "mykit.delay.rocketmq.producer-group = " + config.producerGroup() + ": " + e.getErrorMessage(), e);
        }
        Duration timeout = settings.config().delivery().sendTimeout();
        LazyProducer producer = new LazyProducer(ClientAccess.of(addresses, config), timeout);
        return new RocketMqChannel(producer, config.storedUnconfirmed(), timeout);
    }
}
