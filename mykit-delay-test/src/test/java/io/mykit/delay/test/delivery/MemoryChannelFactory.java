package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A channel that plugs in, found by this module's service file; refuses bodies longer than {@code max-length}. */
public final class MemoryChannelFactory implements DeliveryChannelFactory {
    static final List<DelayMessage> DELIVERED = new CopyOnWriteArrayList<>();

    private static final ChannelKey<Integer> MAX_LENGTH =
            ChannelKey.number("max-length", "The longest body.").withDefault("10");

    @Override
    public List<ChannelKey<?>> keys() {
        return List.of(MAX_LENGTH);
    }

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public DeliveryChannel open(ChannelSettings settings) {
        return new MemoryChannel(settings.get(MAX_LENGTH));
    }

    private record MemoryChannel(int maxLength) implements DeliveryChannel {
        @Override
        public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
            return batch.stream().map(this::deliver).toList();
        }

        @Override
        public Health health() {
            return Health.up(Map.of("maxLength", maxLength));
        }

        @Override
        public void close() {
            // The channel holds no resource open.
        }

        private Delivery deliver(DelayMessage message) {
            if (message.body().length() > maxLength) {
                return Delivery.refused("longer than " + maxLength);
            }
            DELIVERED.add(message);
            return Delivery.DELIVERED;
        }
    }
}
