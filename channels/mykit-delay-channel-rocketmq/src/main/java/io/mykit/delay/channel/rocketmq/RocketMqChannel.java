package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.bounded.BatchParts;
import io.mykit.delay.channel.bounded.BoundedDelivery;
import io.mykit.delay.channel.rocketmq.RocketMqSettings.StoredUnconfirmed;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Sends batches to RocketMQ. Several messages go as one RocketMQ batch, which the broker stores completely or not at all.
 * Thread-safe.
 */
final class RocketMqChannel implements DeliveryChannel {
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    /** The bytes that the broker's frame adds to the batch. */
    private static final long MAX_BATCH_BYTES = LazyProducer.MAX_MESSAGE_BYTES - 64 * 1024;

    private final LazyProducer producer;
    private final Duration sendTimeout;
    private final StoredUnconfirmed fateOfUnconfirmed;
    private final Unconfirmed unconfirmed = new Unconfirmed(System::nanoTime);
    private final MessageMapping mapping;
    private final BoundedDelivery bounded;

    RocketMqChannel(LazyProducer producer, StoredUnconfirmed fateOfUnconfirmed, Duration sendTimeout) {
        this.producer = producer;
        this.fateOfUnconfirmed = fateOfUnconfirmed;
        this.mapping = new MessageMapping(producer.access()::inNamespace);
        this.sendTimeout = sendTimeout;
        this.bounded = new BoundedDelivery("rocketmq", sendTimeout);
    }

    @Override
    public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        BatchParts parts = new BatchParts(batch, this::objection, mapping::bytes, MAX_BATCH_BYTES);
        return bounded.deliver(parts, new RocketMqSend(producer, mapping, fateOfUnconfirmed, unconfirmed, sendTimeout));
    }

    @Override
    public Optional<String> objection(DelayMessage message) {
        return mapping.objection(message);
    }

    @Override
    public String nameAtBroker(String topic) {
        return mapping.nameAtBroker(topic);
    }

    /** Up if a name server and one of its brokers answer. */
    @Override
    public Health health() {
        return bounded.health(new BrokerProbe(producer, unconfirmed));
    }

    @Override
    public void close() {
        bounded.atMost(CLOSE_TIMEOUT, producer::close);
        bounded.close();
    }
}
