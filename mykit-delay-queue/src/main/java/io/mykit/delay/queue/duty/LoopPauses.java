package io.mykit.delay.queue.duty;

import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;

/** How long a loop waits after a round that failed. */
final class LoopPauses {
    /** Of a loop that repairs what can wait. */
    static final Backoff PATIENT = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(10));
    /** Of a loop that finds out what Redis lost, or brings it back: within a second of the return of Redis. */
    static final Backoff EAGER = new Backoff(Duration.ofMillis(200), Duration.ofSeconds(1));

    private LoopPauses() {}
}
