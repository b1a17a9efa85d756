package io.mykit.delay.channel;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The way to a broker. Thread-safe: several threads of the dispatcher call {@link #deliver} at the same time, for different
 * topics and for one topic. Threads of the HTTP interface call {@link #objection} and {@link #health} at any time.
 */
public interface DeliveryChannel extends AutoCloseable {
    /**
     * Sends messages of one topic and returns when the fate of each is known, within about the send timeout. Each message
     * has a fate of its own; {@link Fates} builds the answer for channels that send message by message, or the whole batch
     * at once.
     *
     * <p>{@link Delivery.Kind#DELIVERED} is allowed only after the broker's own confirmation. A channel that does not know
     * the result answers {@link Delivery.Kind#UNAVAILABLE}. The message is then sent again: the consumer may get it twice,
     * but it is never lost.
     *
     * <p>The dispatcher acts on each fate:
     *
     * <ul>
     *   <li>DELIVERED: the message is FINISH.
     *   <li>UNAVAILABLE: the message returns to the head of its ready list. The topic backs off, and is then probed with
     *       one message. No attempt is counted.
     *   <li>FAILED: an attempt is counted. The message alone waits for its next attempt; after
     *       {@code delivery.max-attempts} it is a dead letter. The rest of the topic goes on.
     *   <li>REFUSED: the message is a dead letter at once.
     *   <li>UNCLEAR: FAILED if a message behind it in the same batch was delivered. UNAVAILABLE if none of several messages
     *       was. Otherwise, which includes a message that was sent alone, the message steps aside for its backoff and no
     *       attempt is counted; the topic is probed with another message, and if that one is delivered, the next UNCLEAR of
     *       this message is FAILED.
     * </ul>
     *
     * <p>A call that throws anything, an Error included, and an answer that is null, has nulls or has not one fate per
     * message, make every message of the batch UNCLEAR. So a channel that throws during an outage makes no dead letters,
     * however long the outage lasts.
     *
     * @return one fate per message, in order
     */
    List<Delivery> deliver(String topic, List<DelayMessage> batch);

    /**
     * A channel that sends one message after the other, see {@link Fates#each}: for a program that has the queue in its own process. It
     * is always up, and a close of it does nothing.
     */
    static DeliveryChannel of(Fates.Sender sender) {
        return new DeliveryChannel() {
            @Override
            public List<Delivery> deliver(String topic, List<DelayMessage> batch) {
                return Fates.each(batch, sender);
            }

            @Override
            public Health health() {
                return Health.up(Map.of());
            }

            @Override
            public void close() {
                // The sender belongs to the caller.
            }
        };
    }

    /**
     * The reason why this channel could never deliver this message, such as a topic name that the broker forbids. The
     * server then refuses the push. Empty if there is no reason.
     */
    default Optional<String> objection(DelayMessage message) {
        return Optional.empty();
    }

    /**
     * The reason why the settings of the channel do not allow the destination that this message names, though its form is
     * right. The server then refuses the push with {@code 403 TARGET_FORBIDDEN}. It asks for messages with a target only,
     * and only if there is no {@link #objection}. Empty if there is no reason.
     */
    default Optional<String> forbiddenTarget(DelayMessage message) {
        return Optional.empty();
    }

    /**
     * The name of a topic at the broker. A channel that changes names overrides it: a topic is refused if it has, by its changed name, that
     * of a topic in a namespace of another team. Does not block; any thread may call it.
     */
    default String nameAtBroker(String topic) {
        return topic;
    }

    /**
     * An operator wants this topic to be tried now. A channel that keeps messages from receivers that failed ends such pauses. Does not
     * block; any thread may call it.
     */
    default void tryNow(String topic) {
        // Most channels make no pauses of their own: the server does.
    }

    /**
     * The destination of this message, for people; no secrets. Empty if it is that of the channel, which {@link
     * DeliveryChannelFactory#address} gives.
     */
    default Optional<String> destination(DelayMessage message) {
        return Optional.empty();
    }

    /** The state of the connection to the broker; answers within a second. */
    Health health();

    /** Closes the channel. Idempotent, and bounded in time. */
    @Override
    void close();
}
