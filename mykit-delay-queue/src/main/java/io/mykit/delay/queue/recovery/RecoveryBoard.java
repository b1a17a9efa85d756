package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * The current walks of recovery on this node: {@code recovery} in {@code /health}, and the metrics. A running restore is no
 * failure, so this check is always up. Thread-safe.
 */
public final class RecoveryBoard implements HealthCheck {
    private final Map<RecoveryKind, Progress> running = new ConcurrentHashMap<>();
    private final Map<RecoveryKind, Counter> rows = new EnumMap<>(RecoveryKind.class);
    private final Map<RecoveryKind, Counter> scheduled = new EnumMap<>(RecoveryKind.class);
    private final AtomicInteger buckets = new AtomicInteger();
    private final Counter restored;
    private final Counter cleared;

    public RecoveryBoard(MeterRegistry meters) {
        for (RecoveryKind work : RecoveryKind.values()) {
            rows.put(work, Family.RECOVERY_ROWS.counter(meters, work.word()));
            scheduled.put(work, Family.RECOVERY_SCHEDULED.counter(meters, work.word()));
            Family.RECOVERY_ROWS_LEFT.gauge(meters, this, board -> board.left(work), work.word());
        }
        Family.RECOVERY_BUCKETS.gauge(meters, this, RecoveryBoard::restoring);
        restored = Family.RESTORED.counter(meters);
        cleared = Family.CLEARED.counter(meters);
    }

    /**
     * Begins a walk.
     *
     * @param title the name of the walk, for the log
     * @param live false as soon as the walk has stopped without a call of {@link #end}
     */
    Progress begin(RecoveryKind work, String title, BooleanSupplier live) {
        Progress progress = new Progress(title, rows.get(work), live);
        running.put(work, progress);
        return progress;
    }

    /** Ends the walk, whether it succeeded or failed. */
    void end(RecoveryKind work, Progress progress) {
        running.remove(work, progress);
    }

    /** Sets how many buckets are being restored while {@link RecoveryKind#BUCKETS} is running. */
    void restoring(int lost) {
        buckets.set(lost);
    }

    /** Counts rows that an endless loop has read. */
    void seen(RecoveryKind work, int more) {
        rows.get(work).increment(more);
    }

    void scheduled(RecoveryKind work, long messages) {
        scheduled.get(work).increment((double) messages);
    }

    /** Counts messages that an operator put back. */
    void restored(int messages) {
        restored.increment(messages);
    }

    /** Counts messages that an operator cleared. */
    void cleared(int messages) {
        cleared.increment(messages);
    }

    /** The walk that an operator started on this node; empty if none is running. */
    public Optional<Progress> ordered() {
        return Stream.of(RecoveryKind.RESTORE, RecoveryKind.CLEAR, RecoveryKind.RESPAWN, RecoveryKind.DISCARD)
                .flatMap(work -> progress(work).stream())
                .findFirst();
    }

    /** Stops it after the current page; empty if none is running. */
    public Optional<Progress> stopOrdered() {
        Optional<Progress> ordered = ordered();
        ordered.ifPresent(Progress::stop);
        return ordered;
    }

    private Optional<Progress> progress(RecoveryKind work) {
        return Optional.ofNullable(running.get(work)).filter(Progress::isLive);
    }

    private double left(RecoveryKind work) {
        return progress(work).map(Progress::left).orElse(0L);
    }

    private double restoring() {
        return progress(RecoveryKind.BUCKETS).isPresent() ? buckets.get() : 0;
    }

    @Override
    public String name() {
        return "recovery";
    }

    /** Has a detail for each running walk. */
    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        for (RecoveryKind work : RecoveryKind.values()) {
            progress(work).ifPresent(progress -> details.put(work.word(), progress.details()));
        }
        return Health.up(details);
    }
}
