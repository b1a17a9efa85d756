package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import java.util.List;
import java.util.Optional;

/** Makes the channel {@code kafka} from {@code mykit.delay.kafka.*}. */
public final class KafkaChannelFactory implements DeliveryChannelFactory {
    @Override
    public String name() {
        return "kafka";
    }

    @Override
    public List<ChannelKey<?>> keys() {
        return KafkaSettings.keys();
    }

    @Override
    public void check(ChannelSettings settings, ChannelProblems problems) {
        new KafkaSettings(settings).check(problems);
    }

    @Override
    public Optional<String> address(ChannelSettings settings) {
        return new KafkaSettings(settings).connection().bootstrapServers();
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        KafkaSettings own = new KafkaSettings(settings);
        if (own.connection().bootstrapServers().isEmpty()) {
            throw new IllegalArgumentException(
                    own.servers() + " is missing: the channel kafka needs host:port,host:port");
        }
        return KafkaChannel.of(own, ClientProperties.of(own));
    }
}
