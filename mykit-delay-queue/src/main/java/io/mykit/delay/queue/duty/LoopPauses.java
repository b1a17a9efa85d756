package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;

/** The pauses of loops after a failed round. */
final class LoopPauses {
    /** For a loop whose repairs can wait. */
    static final Backoff PATIENT = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    /** For a loop on which deliveries wait: it works within a second of the return of Redis or the database. */
    static final Backoff EAGER = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    private LoopPauses() {}
}
