package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.bounded.BatchParts;
import io.mykit.delay.channel.bounded.BoundedDelivery;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Sends each batch to ActiveMQ as one transaction, over a pooled connection that no other batch uses meanwhile.
 * Thread-safe.
 */
final class ActiveMqChannel implements DeliveryChannel {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** The broker keeps a transaction in memory until its commit. */
    private static final long MAX_TRANSACTION_BYTES = 8 * 1024 * 1024;

    private final LinkPool links;
    private final MessageMapping mapping;
    private final BoundedDelivery bounded;

    ActiveMqChannel(LinkPool links, MessageMapping mapping, Duration sendTimeout) {
        this.links = links;
        this.mapping = mapping;
        this.bounded = new BoundedDelivery("activemq", sendTimeout);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        BatchParts parts = new BatchParts(batch, this::objection, mapping::frameBytes, MAX_TRANSACTION_BYTES);
        return bounded.deliver(parts, new ActiveMqSend(links, mapping, bounded::aside));
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        return MessageMapping.objection(message);
    }

    /** Up if the broker begins and ends a transaction. */
    @Override
    public Health health() {
        LinkUse use = new LinkUse(links, bounded::aside);
        Health health = bounded.health(() -> {
            use.take().roundTrip();
            use.giveBack();
            return Health.up(Map.of("connections", links.open()));
        });
        if (!health.up()) {
            use.abandon();
        }
        return health;
    }

    @Override
    public void close() {
        bounded.atMost(CLOSE_TIMEOUT, links::close);
        bounded.close();
    }
}
