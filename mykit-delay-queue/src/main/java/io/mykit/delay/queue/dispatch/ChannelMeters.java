package io.mykit.delay.queue.dispatch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.series.LatenessClasses;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The metrics of one channel. All series exist from the beginning, so that a rate sees the first event. Thread-safe. */
public final class ChannelMeters {
    private final String channel;
    private final Timer lateness;
    private final Timer overdue;
    private final LatenessClasses classes;
    private final Timer duration;
    private final DistributionSummary batch;
    private final Counter delivered;
    private final Map<Attempt, Counter> attempts = new EnumMap<>(Attempt.class);
    private final Map<DeadReason, Counter> dead = new EnumMap<>(DeadReason.class);

    ChannelMeters(String channel, Timer overdue, LatenessClasses classes, MeterRegistry meters) {
        this.channel = channel;
        this.overdue = overdue;
        this.classes = classes;
        lateness = Family.LATENESS.timer(meters, channel);
        duration = Family.DELIVERY_DURATION.timer(meters, channel);
        batch = Family.DELIVERY_BATCH.summary(meters, channel);
        delivered = Family.MESSAGES_DELIVERED.counter(meters, channel);
        for (Attempt attempt : Attempt.values()) {
            attempts.put(attempt, Family.ATTEMPTS.counter(meters, channel, word(attempt)));
        }
        for (DeadReason reason : DeadReason.values()) {
            dead.put(reason, Family.DEAD.counter(meters, channel, word(reason)));
        }
    }

    /** The name of the channel. */
    String channel() {
        return channel;
    }

    /**
     * Records the lateness of a message that was delivered.
     *
     * @param cameOverdue whether the message was already due when it came. Its lateness then says nothing about this bridge:
     *     a single message from last year would spoil the sum and the maximum of all others
     */
    void late(long lateMs, boolean cameOverdue) {
        (cameOverdue ? overdue : lateness).record(Math.max(0, lateMs), TimeUnit.MILLISECONDS);
        if (!cameOverdue) {
            classes.record(Math.max(0, lateMs));
        }
    }

    /** Counts messages that were delivered together. */
    public void delivered(int messages) {
        delivered.increment(messages);
        attempts.get(Attempt.DELIVERED).increment(messages);
    }

    void tried(Attempt outcome) {
        attempts.get(outcome).increment();
    }

    /** A consumer reports that its work failed. */
    public void failed() {
        tried(Attempt.FAILED);
    }

    public void dead(DeadReason reason) {
        dead.get(reason).increment();
    }

    /** Records the send of a batch. */
    void sent(int messages, long nanos) {
        batch.record(messages);
        answered(nanos);
    }

    /** Records the answer to a message that was sent in a batch whose fates become known one by one. */
    void answered(long nanos) {
        duration.record(nanos, TimeUnit.NANOSECONDS);
    }

    /** Records the size of a batch whose fates become known one by one. */
    void began(int messages) {
        batch.record(messages);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
