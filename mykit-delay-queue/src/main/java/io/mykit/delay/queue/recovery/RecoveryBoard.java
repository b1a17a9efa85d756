package io.mykit.delay.queue.recovery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.operator.EndedWork;
import io.mykit.delay.queue.operator.RunningWork;
import io.mykit.delay.queue.operator.Works;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current walks of recovery on this node: {@code recovery} in {@code /health}, and the metrics. A running restore is no
 * failure, so this check is always up. Thread-safe.
 */
public final class RecoveryBoard implements HealthCheck, Works {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveryBoard.class);
    /** The number of walks that are remembered after their end. */
    private static final int KEPT = 10;

    private static final Set<RecoveryKind> ORDERED =
            EnumSet.of(RecoveryKind.RESTORE, RecoveryKind.CLEAR, RecoveryKind.RESPAWN, RecoveryKind.DISCARD);

    private final Map<RecoveryKind, Walk> running = new ConcurrentHashMap<>();
    private final AtomicLong begun = new AtomicLong();
    /** The walks of operators that ended, the last one first. */
    private final Deque<EndedWork> ended = new ConcurrentLinkedDeque<>();

    private final Map<RecoveryKind, Counter> rows = new EnumMap<>(RecoveryKind.class);
    private final Map<RecoveryKind, Counter> scheduled = new EnumMap<>(RecoveryKind.class);
    private final AtomicInteger buckets = new AtomicInteger();
    private final Counter restored;
    private final Counter cleared;
    private final Executor counts = Threads.single("recovery-count");

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
     * Begins a walk of an operator.
     *
     * @param title the order, for the log and for operators
     * @param dryRun whether the walk only counts
     */
    public Progress begin(RecoveryKind work, String title, boolean dryRun) {
        return begin(work, new Progress(title, dryRun, rows.get(work), () -> true));
    }

    /**
     * Begins a walk of this node's own.
     *
     * @param title the name of the walk, for the log
     * @param live false as soon as the walk has stopped without a call of {@link #end}
     */
    Progress begin(RecoveryKind work, String title, BooleanSupplier live) {
        return begin(work, new Progress(title, false, rows.get(work), live));
    }

    private Progress begin(RecoveryKind work, Progress progress) {
        running.put(work, new Walk(begun.incrementAndGet(), progress));
        return progress;
    }

    /**
     * Counts the rows of a walk on another thread, because the walk must not wait for a number that only operators read. The counts take
     * turns, and a walk that has ended or begun again is not counted. If the count fails, the number stays unknown.
     */
    void count(Progress progress, Supplier<OptionalLong> count) {
        counts.execute(() -> {
            if (running.values().stream().noneMatch(walk -> walk.progress() == progress)) {
                return;
            }
            try {
                count.get().ifPresent(progress::expect);
            } catch (DelayException e) {
                LOG.debug("{}: the rows could not be counted", progress.title(), e);
            }
        });
    }

    /** Ends the walk, whether it succeeded or failed. */
    public void end(RecoveryKind work, Progress progress) {
        Walk walk = running.get(work);
        if (walk != null && walk.progress() == progress && running.remove(work, walk) && ORDERED.contains(work)) {
            EndedWork.Outcome outcome = !progress.isComplete()
                    ? EndedWork.Outcome.FAILED
                    : progress.isStopping() ? EndedWork.Outcome.STOPPED : EndedWork.Outcome.DONE;
            ended.addFirst(new EndedWork(
                    walk.number(),
                    work.word(),
                    progress.title(),
                    progress.isDryRun(),
                    outcome,
                    progress.found(),
                    System.nanoTime()));
            while (ended.size() > KEPT) {
                ended.pollLast();
            }
        }
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
        return ORDERED.stream().flatMap(work -> progress(work).stream()).findFirst();
    }

    /** Stops it after the current page; empty if none is running. */
    public Optional<RunningWork> stopOrdered() {
        Optional<RunningWork> ordered =
                running().stream().filter(RunningWork::stoppable).findFirst();
        ordered.ifPresent(walk -> stop(walk.number()));
        return ordered;
    }

    /** In the order of their kinds. */
    @Override
    public List<RunningWork> running() {
        return Arrays.stream(RecoveryKind.values())
                .flatMap(work -> running(work).stream())
                .toList();
    }

    private Optional<RunningWork> running(RecoveryKind work) {
        return Optional.ofNullable(running.get(work))
                .filter(walk -> walk.progress().isLive())
                .map(walk -> new RunningWork(
                        walk.number(),
                        work.word(),
                        walk.progress().title(),
                        ORDERED.contains(work),
                        walk.progress().isDryRun(),
                        walk.progress().details()));
    }

    @Override
    public List<EndedWork> ended() {
        return List.copyOf(ended);
    }

    @Override
    public boolean stop(long number) {
        for (RecoveryKind work : ORDERED) {
            Walk walk = running.get(work);
            if (walk != null && walk.number() == number && walk.progress().isLive()) {
                walk.progress().stop();
                return true;
            }
        }
        return false;
    }

    private Optional<Progress> progress(RecoveryKind work) {
        return Optional.ofNullable(running.get(work)).map(Walk::progress).filter(Progress::isLive);
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

    private record Walk(long number, Progress progress) {}
}
