package io.mykit.delay.channel;

import io.mykit.delay.common.message.DelayMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A channel whose messages have destinations of their own: each fate is known at a time of its own, and a slow message
 * must not hold up the others. Thread-safe.
 *
 * <p>A message that waits in the channel, for its host or for a free connection, may outlive the term of the leader. So the
 * channel asks {@link Outgoing#mayBeSent} right before each send, and answers {@link Delivery.Kind#UNAVAILABLE} if it may
 * not be sent. At the end of a term the server gives back the messages for which the channel has not asked yet, and waits for the fates of the others.
 *
 * <p>The server calls {@link #send} and records each fate when its future completes. It extends the lease of a message
 * while its future is open. So a send may take longer than {@code delivery.send-timeout} and than {@code delivery.lease}.
 */
public interface AsyncDeliveryChannel extends DeliveryChannel {
    /**
     * Begins to send messages of one topic, and returns at once. The most urgent message comes first.
     *
     * <p>Each future completes with a fate, within a bound that the channel's settings define. A future that fails is
     * {@link Delivery.Kind#UNCLEAR}. Any thread may complete a future; it must not block.
     *
     * @return one future per message, in order
     */
    List<CompletableFuture<Delivery>> send(String topic, List<Outgoing> batch);

    /**
     * How many more messages of this topic the channel has places for. The server leaves the others in their ready lists. It asks
     * before each batch, and again when a message of the topic has its fate. A topic of which the channel has no message may always
     * send one. The number is no promise: messages that find no place are {@link Delivery.Kind#FULL}.
     *
     * <p>A channel that learns the receiver from the message answers {@link Integer#MAX_VALUE}, so that a full receiver does not stop
     * the messages of others. Does not block; any thread may call it.
     */
    default int places(String topic) {
        return Integer.MAX_VALUE;
    }

    /**
     * The fate {@link Delivery.Kind#FULL} of a message whose receiver has no place for it now; empty = {@link #send} finds out. The server
     * asks before it looks at the rows of a batch, so that thousands of messages for a full receiver cost the database nothing. It
     * sends no message that has a fate. A channel whose messages all have the receiver of their topic answers by {@link #places}. Does
     * not block; any thread may call it.
     */
    default Optional<Delivery> full(DelayMessage message) {
        return Optional.empty();
    }

    /** Sends a batch and waits for all fates. The server uses {@link #send}; tests of a channel may use this form. */
    @Override
    default List<Delivery> deliver(String topic, List<DelayMessage> batch) {
        List<Delivery> fates = new ArrayList<>(batch.size());
        List<Outgoing> first =
                batch.stream().map(message -> new Outgoing(message, 1, 0)).toList();
        for (CompletableFuture<Delivery> fate : send(topic, first)) {
            fates.add(fate.exceptionally(e -> Delivery.unclear(Reasons.of(e))).join());
        }
        return fates;
    }
}
