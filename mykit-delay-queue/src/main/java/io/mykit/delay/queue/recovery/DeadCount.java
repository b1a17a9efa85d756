package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.DeadLetterStore;
import java.time.Duration;

/** Counts all dead letters for the metrics. The loop rests long, because the count reads an index from end to end. */
public final class DeadCount implements Loop {
    private static final Duration INTERVAL = Duration.ofMinutes(1);

    private final DeadLetterStore store;
    private final LeaderTerm term;
    private final DeadMeters meters;

    public DeadCount(DeadLetterStore store, LeaderTerm term, DeadMeters meters) {
        this.store = store;
        this.term = term;
        this.meters = meters;
    }

    @Override
    public Duration runOnce() {
        if (term.isActive()) {
            meters.counted(term, store.countDead());
        }
        return INTERVAL;
    }
}
