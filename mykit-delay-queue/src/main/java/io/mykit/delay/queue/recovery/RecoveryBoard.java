package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * What recovery is doing on this node: {@code recovery} in {@code /health}, and the metrics. That something is being
 * restored is no failure, so it is always up. Thread-safe.
 */
public final class RecoveryBoard implements HealthCheck {
    private final Map<RecoveryKind, Progress> running = new ConcurrentHashMap<>();
    private final Map<RecoveryKind, Counter> rows = new EnumMap<>(RecoveryKind.class);
    private final Map<RecoveryKind, Counter> scheduled = new EnumMap<>(RecoveryKind.class);
    private final AtomicInteger buckets = new AtomicInteger();

    public RecoveryBoard(MeterRegistry meters) {
        for (RecoveryKind work : RecoveryKind.values()) {
            rows.put(
                    work,
                    Counter.builder("mykit.delay.recovery.rows")
                            .description("Rows of the database that were gone through")
                            .tag("work", work.word())
                            .register(meters));
            scheduled.put(
                    work,
                    Counter.builder("mykit.delay.recovery.scheduled")
                            .description("Messages put into Redis from the database")
                            .tag("work", work.word())
                            .register(meters));
            Gauge.builder("mykit.delay.recovery.left", this, board -> board.progress(work)
                            .map(Progress::left)
                            .orElse(0L))
                    .description("About how many rows the walk that is going on still has before it")
                    .tag("work", work.word())
                    .register(meters);
        }
        Gauge.builder("mykit.delay.recovery.buckets", this, RecoveryBoard::restoring)
                .description("Buckets that were lost and are being restored")
                .register(meters);
    }

    /**
     * A walk begins.
     *
     * @param title what is done, for the log
     * @param live false as soon as nobody goes on with it, though nobody ended it either
     */
    Progress begin(RecoveryKind work, String title, BooleanSupplier live) {
        Progress progress = new Progress(title, rows.get(work), live);
        running.put(work, progress);
        return progress;
    }

    /** The walk is over, however it went. */
    void end(RecoveryKind work, Progress progress) {
        running.remove(work, progress);
    }

    /** So many buckets are being restored as long as {@link RecoveryKind#BUCKETS} goes on. */
    void restoring(int lost) {
        buckets.set(lost);
    }

    /** So many rows were gone through by a loop that has no end. */
    void seen(RecoveryKind work, int more) {
        rows.get(work).increment(more);
    }

    void scheduled(RecoveryKind work, long messages) {
        scheduled.get(work).increment((double) messages);
    }

    /** The restore or the clear that an operator asked this node for, if one is under way. */
    public Optional<Progress> ordered() {
        return Stream.of(RecoveryKind.RESTORE, RecoveryKind.CLEAR)
                .flatMap(work -> progress(work).stream())
                .findFirst();
    }

    /** Lets that end after the page at hand; empty if there is none. */
    public Optional<Progress> stopOrdered() {
        Optional<Progress> ordered = ordered();
        ordered.ifPresent(Progress::stop);
        return ordered;
    }

    private Optional<Progress> progress(RecoveryKind work) {
        return Optional.ofNullable(running.get(work)).filter(Progress::isLive);
    }

    private double restoring() {
        return progress(RecoveryKind.BUCKETS).isPresent() ? buckets.get() : 0;
    }

    @Override
    public String name() {
        return "recovery";
    }

    /** A detail for each walk that is going on. */
    @Override
    public Health check() {
        Map<String, Object> details = new LinkedHashMap<>();
        for (RecoveryKind work : RecoveryKind.values()) {
            progress(work).ifPresent(progress -> details.put(work.word(), progress.details()));
        }
        return Health.up(details);
    }
}
