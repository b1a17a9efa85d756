package io.mykit.delay.channel.rabbitmq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import java.util.List;
import java.util.Optional;

/** Makes the channel {@code rabbitmq} from {@code mykit.delay.rabbitmq.*}. */
public final class RabbitMqChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return RabbitMqSettings.CHANNEL;
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return RabbitMqSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new RabbitMqSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return new RabbitMqSettings(settings).addresses();
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        RabbitMqSettings own = new RabbitMqSettings(settings);
        MessageMapping mapping = new MessageMapping(own.exchanges(), own.routingKeys());
        return new RabbitMqChannel(Connector.of(own), mapping, own.sendTimeout());
    }
}
