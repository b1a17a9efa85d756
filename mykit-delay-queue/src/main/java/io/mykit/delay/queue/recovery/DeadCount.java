package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.DeadLetterStore;
import java.time.Duration;

/** Counts all dead letters for the metrics. The loop rests long, because the count reads an index. */
public final class DeadCount implements Loop {
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    /** A longer count might take longer than the database has for an answer. */
    private static final int MOST = 5_000_000;

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
            meters.counted(term, store.countDead(MOST));
        }
        return INTERVAL;
    }
}
