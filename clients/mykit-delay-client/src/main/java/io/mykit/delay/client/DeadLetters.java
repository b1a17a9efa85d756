package io.mykit.delay.client;

import java.util.List;

/**
 * The dead letters: messages whose attempts are used up, or that were refused or given up. If the server has tokens, these
 * calls need a client with the admin token. Thread-safe.
 *
 * <pre>{@code
 * DeadLetters dead = client.dead();
 * dead.topics("").forEach(topic -> System.out.println(topic.topic() + ": " + topic.count()));
 * DeadReport report = dead.respawn(DeadOrder.topic("orders").reason("ATTEMPTS").perSecond(200));
 * }</pre>
 *
 * <p>A respawn or a discard is not tried again once it may have been carried out. It fails with
 * {@link DelayUnavailableException} then, and {@link DelayClientException#isInDoubt} is true. The same order continues it.
 */
public final class DeadLetters {
    private final AsyncDeadLetters async;

    DeadLetters(AsyncDeadLetters async) {
        this.async = async;
    }

    /** The topics that begin with this text and have dead letters; at most 1000. */
    public List<DeadTopic> topics(String prefix) {
        return Await.result(async.topics(prefix));
    }

    /** A page of the dead letters of one topic, the oldest first; 100 if the order has no limit. */
    public DeadPage list(DeadOrder order) {
        return Await.result(async.list(order));
    }

    /** Gives dead letters new due times; they begin anew. It returns after the last one. */
    public DeadReport respawn(DeadOrder order) {
        return Await.result(async.respawn(order));
    }

    /** Puts one dead letter back, due now. Returns false if there is no such dead letter. */
    public boolean respawn(String id) {
        return Await.result(async.respawn(id));
    }

    /** Cancels dead letters for good. It returns after the last one. */
    public DeadReport discard(DeadOrder order) {
        return Await.result(async.discard(order));
    }

    /** Cancels one dead letter for good. Returns false if there is no such dead letter. */
    public boolean discard(String id) {
        return Await.result(async.discard(id));
    }
}
