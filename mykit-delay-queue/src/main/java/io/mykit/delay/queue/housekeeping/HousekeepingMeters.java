package io.mykit.delay.queue.housekeeping;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.Map;

/** Metrics of housekeeping. Thread-safe. */
public final class HousekeepingMeters {
    private final Map<MessageStatus, Counter> removed = new EnumMap<>(MessageStatus.class);
    private volatile Behind behind;

    public HousekeepingMeters(MeterRegistry meters) {
        for (MessageStatus status : MessageStatus.values()) {
            if (!status.isUnfinished()) {
                removed.put(status, Family.HOUSEKEEPING_REMOVED.counter(meters, status.name()));
            }
        }
        Family.HOUSEKEEPING_BEHIND.gauge(meters, this, HousekeepingMeters::behindSeconds);
    }

    void removed(MessageStatus status, int messages) {
        removed.get(status).increment(messages);
    }

    /** Sets the gauge. The value counts until the next call or the end of the term; after the term it is not known. */
    void behind(LeaderTerm term, long ms) {
        behind = new Behind(term, ms);
    }

    private double behindSeconds() {
        Behind said = behind;
        return said != null && said.term().isActive() ? said.ms() / 1000.0 : Double.NaN;
    }

    private record Behind(LeaderTerm term, long ms) {}
}
