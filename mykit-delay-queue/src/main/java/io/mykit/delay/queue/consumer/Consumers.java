package io.mykit.delay.queue.consumer;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The face of the queue for consumers that ask for messages. A consumer gets a message under a lease, with a receipt, and settles it
 * with the receipt. {@link PullRules} checks what a consumer gives. Thread-safe; no call blocks.
 */
public interface Consumers {
    /** Whether consumers pull this topic: its channel is {@code pull}. */
    boolean isPulled(String topic);

    /** The limits of this node. */
    PullSettings limits();

    /** The consumers that wait at this node for messages of the topic: their requests by the name of the consumer. */
    Map<String, Integer> waiting(String topic);

    /**
     * Asks for messages. The answer comes as soon as there is a message, and at the latest at the end of the order's wait.
     *
     * @param answer is called once, on any thread, with messages, with none, or with a failure: NOT_PULLABLE, BUSY (too many consumers
     *     wait), INDEX_UNAVAILABLE, STORE_UNAVAILABLE or INTERNAL. It must return at once
     * @return for a consumer that hangs up
     */
    Waiting pull(PullOrder order, Consumer<PullAnswer> answer);

    /** Gives messages back that did not reach their consumer. The attempt is not counted. */
    void giveBack(List<PulledMessage> messages);

    /**
     * Settles messages, each independent of the others.
     *
     * @return one result for each item, in order; {@link Settled#refusal} has the error of an item: LEASE_LOST, NOT_PULLABLE,
     *     ALREADY_FINISHED, NOT_FOUND, BUSY, INDEX_UNAVAILABLE, STORE_UNAVAILABLE or INTERNAL. The future never fails
     */
    CompletableFuture<List<Settled>> settle(Verb verb, List<Settlement> items);
}
