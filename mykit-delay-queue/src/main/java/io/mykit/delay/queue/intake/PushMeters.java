package io.mykit.delay.queue.intake;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.producer.PushResult;
import io.mykit.delay.queue.producer.Via;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Counts the messages of pushes by their answers. A push that changed nothing, because the message was accepted before, is not
 * counted. Thread-safe.
 */
public final class PushMeters {
    private final MeterRegistry meters;
    private final Map<Via, Counter> accepted = new ConcurrentHashMap<>();
    private final Consumer<String> topics;
    private final Counter replaced;
    private final Map<Refusal, Counter> refused = new EnumMap<>(Refusal.class);

    /** @param topics gets the topic of each message that was accepted; must not block */
    public PushMeters(MeterRegistry meters, Consumer<String> topics) {
        this.meters = meters;
        this.topics = topics;
        // The ways into a server have their counters from the start, the others with their first message.
        accepted(Via.HTTP);
        accepted(Via.BATCH);
        for (Refusal reason : Refusal.values()) {
            refused.put(reason, Family.MESSAGES_REFUSED.counter(meters, word(reason)));
        }
        replaced = Family.MESSAGES_REPLACED.counter(meters);
    }

    /** Counts an answer: a result, or the error of a refusal. */
    public void answered(Via via, String topic, PushResult result, Throwable failure) {
        if (failure != null) {
            refused(code(failure));
            return;
        }
        switch (result.kind()) {
            case ACCEPTED -> {
                accepted(via).increment();
                topics.accept(topic);
            }
            case REPLACED -> replaced.increment();
            case SAME -> {}
        }
    }

    private static ErrorCode code(Throwable failure) {
        return failure instanceof DelayException known ? known.code() : ErrorCode.INTERNAL;
    }

    /** Counts a push that was refused after its caller was admitted. */
    public void refused(ErrorCode why) {
        refused.get(Refusal.of(why)).increment();
    }

    private Counter accepted(Via via) {
        return accepted.computeIfAbsent(via, way -> Family.MESSAGES_ACCEPTED.counter(meters, word(way)));
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private enum Refusal {
        INVALID,
        BUSY,
        LIMITED,
        STORE,
        TOO_LARGE,
        CONFLICT,
        DEFECT;

        static Refusal of(ErrorCode code) {
            return switch (code) {
                case TOO_LARGE -> TOO_LARGE;
                case BUSY, STOPPING -> BUSY;
                case RATE_LIMITED -> LIMITED;
                case STORE_UNAVAILABLE, OUTCOME_UNKNOWN, INDEX_UNAVAILABLE -> STORE;
                case ID_CONFLICT, ALREADY_DISPATCHED, ALREADY_FINISHED, ALREADY_RUNNING, LEASE_LOST, NOT_PULLABLE ->
                    CONFLICT;
                case INTERNAL -> DEFECT;
                default -> INVALID;
            };
        }
    }
}
