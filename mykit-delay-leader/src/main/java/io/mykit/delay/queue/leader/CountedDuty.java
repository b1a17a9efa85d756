package io.mykit.delay.queue.leader;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;

/** Counts the terms that begin. Used by the thread of the elector. */
public final class CountedDuty implements LeaderDuty {
    private final LeaderDuty duty;
    private final Counter begun;

    public CountedDuty(LeaderDuty duty, MeterRegistry meters) {
        this.duty = duty;
        this.begun = Family.LEADER_CHANGES.counter(meters);
    }

    @Override
    public void begin(LeaderTerm term) throws Exception {
        begun.increment();
        duty.begin(term);
    }

    @Override
    public void end() {
        duty.end();
    }
}
