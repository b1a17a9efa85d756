package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.time.ElapsedTime;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tells whether the process of this leader was frozen lately, or its machine suspended. A message that waits in the queue of an asynchronous channel may be
 * the first thing that a thawed process sends, before the event of its lost leadership comes. The pulse stops with the process, and goes on only
 * after the registry has confirmed the term. Thread-safe; the loop is one thread, which may block.
 */
public final class Pulse implements Loop {
    private static final Duration BETWEEN = Duration.ofMillis(500);
    /** Less than the time from the last heartbeat of a frozen leader to another leader, and more than a pause of the JVM. */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final LeaderTerm term;
    private final LongSupplier elapsed;
    private volatile long beatNanos;

    /** @param elapsed as {@link ElapsedTime} */
    Pulse(LeaderTerm term, LongSupplier elapsed) {
        this.term = term;
        this.elapsed = elapsed;
        this.beatNanos = elapsed.getAsLong();
    }

    /** Whether the process ran in the last two seconds, or its term was confirmed since it runs again. Does not block. */
    boolean beats() {
        return elapsed.getAsLong() - beatNanos <= LONGEST.toNanos();
    }

    @Override
    public Duration runOnce() {
        // The answer of the registry is as old as its question.
        long now = elapsed.getAsLong();
        if (beats() || term.isConfirmed()) {
            beatNanos = now;
        }
        return BETWEEN;
    }
}
