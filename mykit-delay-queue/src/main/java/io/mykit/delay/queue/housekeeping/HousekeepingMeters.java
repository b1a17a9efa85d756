package io.mykit.delay.queue.housekeeping;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Metrics of housekeeping. Thread-safe. */
public final class HousekeepingMeters {
    private final Map<MessageStatus, Counter> removed = new EnumMap<>(MessageStatus.class);
    private volatile Behind behind;

    public HousekeepingMeters(MeterRegistry meters) {
        for (MessageStatus status : MessageStatus.values()) {
            if (!status.isUnfinished()) {
                removed.put(
                        status,
                        Counter.builder("mykit.delay.housekeeping.removed")
                                .description("Messages removed because they had been kept long enough")
                                .tag("status", status.name())
                                .register(meters));
            }
        }
        TimeGauge.builder("mykit.delay.housekeeping.behind", this, TimeUnit.MILLISECONDS, HousekeepingMeters::behindMs)
                .description("How much longer than asked for the messages now being removed were kept")
                .register(meters);
    }

    void removed(MessageStatus status, int messages) {
        removed.get(status).increment(messages);
    }

    /** Sets the gauge. The value counts until the next call or the end of the term; after the term the gauge is 0. */
    void behind(LeaderTerm term, long ms) {
        behind = new Behind(term, ms);
    }

    private double behindMs() {
        Behind said = behind;
        return said != null && said.term().isActive() ? said.ms() : 0;
    }

    private record Behind(LeaderTerm term, long ms) {}
}
