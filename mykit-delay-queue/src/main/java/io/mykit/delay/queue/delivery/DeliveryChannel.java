package io.mykit.delay.queue.delivery;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Optional;

/**
 * A way to a broker. Thread-safe: called by several threads at once, for different topics and for the same.
 */
public interface DeliveryChannel extends AutoCloseable {
    /**
     * Sends messages of one topic and returns when the fate of each is known, within about the send timeout.
     *
     * <p>{@link Delivery.Kind#DELIVERED} may be said only after the broker's own confirmation. A channel that does not
     * know says {@link Delivery.Kind#UNAVAILABLE}; the message then comes again, possibly a second time for the
     * consumer, never lost.
     *
     * <p>Exceptions and errors are survived: all messages of the batch are {@link Delivery.Kind#UNCLEAR} then, as they
     * are if the answer is null, has nulls, or has not one fate per message. The topic backs off and is tried again with
     * one message at a time. No attempt is counted, however long it lasts, unless a message throws while others of its
     * topic pass.
     *
     * @return one fate per message, in order
     */
    List<Delivery> deliver(String topic, List<DelayMessage> batch);

    /**
     * Why this channel could never deliver this message (a topic name that the broker forbids, say), so that the push
     * can be refused; empty if it could.
     */
    default Optional<String> objection(DelayMessage message) {
        return Optional.empty();
    }

    /** How the way to the broker looks right now; answers within a second. */
    Health health();

    @Override
    void close();
}
