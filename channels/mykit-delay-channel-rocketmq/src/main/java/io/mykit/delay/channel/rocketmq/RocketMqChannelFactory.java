package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.Validators;
import org.apache.rocketmq.client.exception.MQClientException;

/** Makes the channel {@code rocketmq} from {@code mykit.delay.rocketmq.*}. */
public final class RocketMqChannelFactory implements DeliveryChannelFactory {
    private static final Pattern ADDRESSES = Pattern.compile("[^;:\\s]+:\\d{1,5}(;[^;:\\s]+:\\d{1,5})*");

    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return RocketMqSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new RocketMqSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return new RocketMqSettings(settings).namesrvAddr();
    }

    @Override
    public boolean takesTargets() {
        return true;
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        RocketMqSettings own = new RocketMqSettings(settings);
        String key = own.name(RocketMqSettings.NAMESRV_ADDR);
        String addresses = own.namesrvAddr()
                .map(String::strip)
                .orElseThrow(() -> new IllegalArgumentException(
                        key + " is missing: the channel rocketmq needs host:port;host:port"));
        if (!ADDRESSES.matcher(addresses).matches()) {
            throw new IllegalArgumentException(
                    key + " = " + addresses + ": must be host:port, more than one separated by ;");
        }
        try {
            Validators.checkGroup(own.producerGroup());
        } catch (MQClientException e) {
            throw new IllegalArgumentException(
                    own.name(RocketMqSettings.PRODUCER_GROUP) + " = " + own.producerGroup() + ": "
                            + e.getErrorMessage(),
                    e);
        }
        LazyProducer producer = new LazyProducer(ClientAccess.of(addresses, own), own.sendTimeout());
        return new RocketMqChannel(producer, own.storedUnconfirmed(), own.sendTimeout());
    }
}
