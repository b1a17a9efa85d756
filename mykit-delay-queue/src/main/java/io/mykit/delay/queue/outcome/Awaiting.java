package io.mykit.delay.queue.outcome;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Tells when messages have ended: FINISH, FAILED, EXPIRED or DELETE. Thread-safe; no call blocks. */
public interface Awaiting {
    /**
     * Checks that a request may wait now. A push calls it before the message is stored.
     *
     * @throws io.mykit.delay.common.error.DelayException BUSY if too many requests wait
     */
    void requirePlace();

    /**
     * Waits for the end of a message.
     *
     * @return completes when the message has ended or its row is gone, when {@code longest} is over, or when this node stops.
     *     It never fails. A caller that waits no longer completes it
     * @throws io.mykit.delay.common.error.DelayException BUSY if too many requests wait
     */
    CompletableFuture<Void> ended(String id, Duration longest);

    /** Ends all waits, because this node stops. Later calls do not wait. */
    void stop();
}
