package io.mykit.delay.queue.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.metric.Family;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * The channel of topics whose messages consumers pull. Consumers get the messages from the ready lists, on any node. The leader
 * gives this channel only messages whose consumer did not settle them before the end of its lease: a failed attempt.
 * Thread-safe.
 */
final class PullChannel implements DeliveryChannel {
    private static final Delivery LAPSED =
            Delivery.failed("the consumer's lease ended before the consumer settled the message");

    private final Counter lapsed;

    PullChannel(MeterRegistry meters) {
        lapsed = Family.PULL_LAPSED.counter(meters);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        lapsed.increment(batch.size());
        return Collections.nCopies(batch.size(), LAPSED);
    }

    @Override
    public Health health() {
        return Health.up(Map.of());
    }

    @Override
    public void close() {}
}
