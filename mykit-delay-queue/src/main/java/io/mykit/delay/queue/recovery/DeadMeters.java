package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.metric.Family;

/** Metrics of dead letters. They have no topics, because the number of topics has no bound. Thread-safe. */
public final class DeadMeters {
    private final Counter respawned;
    private final Counter discarded;
    private volatile Counted counted;

    public DeadMeters(MeterRegistry meters) {
        respawned = Family.RESPAWNED.counter(meters);
        discarded = Family.DISCARDED.counter(meters);
        Family.DEAD_LETTERS.gauge(meters, this, DeadMeters::letters);
    }

    void respawned(long messages) {
        respawned.increment((double) messages);
    }

    void discarded(long messages) {
        discarded.increment((double) messages);
    }

    /** Sets the gauge. The value counts until the next call or the end of the term; after the term it is not known. */
    void counted(LeaderTerm term, long letters) {
        counted = new Counted(term, letters);
    }

    private double letters() {
        Counted last = counted;
        return last != null && last.term().isActive() ? last.letters() : Double.NaN;
    }

    private record Counted(LeaderTerm term, long letters) {}
}
