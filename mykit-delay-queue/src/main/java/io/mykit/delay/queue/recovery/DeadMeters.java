package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.leader.LeaderTerm;

/** Metrics of dead letters. They have no topics, because the number of topics has no bound. Thread-safe. */
public final class DeadMeters {
    private final Counter respawned;
    private final Counter discarded;
    private volatile Counted counted;

    public DeadMeters(MeterRegistry meters) {
        respawned = Counter.builder("mykit.delay.dead.respawned")
                .description("Dead letters that operators put back")
                .register(meters);
        discarded = Counter.builder("mykit.delay.dead.discarded")
                .description("Dead letters that operators discarded")
                .register(meters);
        Gauge.builder("mykit.delay.dead.letters", this, DeadMeters::letters)
                .description("Dead letters in the database, as the leader counted them about a minute ago")
                .register(meters);
    }

    void respawned(long messages) {
        respawned.increment((double) messages);
    }

    void discarded(long messages) {
        discarded.increment((double) messages);
    }

    /** Sets the gauge. The value counts until the next call or the end of the term; after the term the gauge is 0. */
    void counted(LeaderTerm term, long letters) {
        counted = new Counted(term, letters);
    }

    private double letters() {
        Counted last = counted;
        return last != null && last.term().isActive() ? last.letters() : 0;
    }

    private record Counted(LeaderTerm term, long letters) {}
}
