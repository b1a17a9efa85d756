package io.mykit.delay.queue.outcome;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.queue.metric.Family;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Looks at the rows of awaited messages. A request that waits is an entry and no thread. One query reads the rows of all
 * entries; without entries there is no query. So it does not matter which node ends a message, and no notice can be lost.
 *
 * <p>Thread-safe. The futures complete on the thread of the loop or of a timer, and what depends on them must not block.
 */
public final class OutcomeWatch implements Service {
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));
    /** A new entry ends it. */
    private static final Duration NO_ENTRIES = Duration.ofDays(1);

    private static final long SHORTEST_PAUSE_MS = 20;
    /** The looks of this node read at most 10,000 rows a second, however many requests wait. */
    private static final int ROWS_PER_MS = 10;
    /** A slow database gets fewer looks: they take at most a fifth of the time of one connection. */
    private static final int PAUSES_PER_LOOK = 4;
    /** A look at a database that was frozen tells nothing about the next look. */
    private static final long LONGEST_PAUSE_MS = 1_000;

    private final MessageStore store;
    private final int limit;
    private final WaitingRequests waiting = new WaitingRequests();
    private final LoopRunner runner = new LoopRunner("waits", this::look, BACKOFF);
    private volatile boolean stopping;

    /** @param limit the maximum of requests that wait */
    public OutcomeWatch(MessageStore store, int limit, MeterRegistry meters) {
        this.store = store;
        this.limit = limit;
        Family.OUTCOME_WAITING.gauge(meters, waiting, WaitingRequests::size);
    }

    /** The loop of this object. The health report checks that it is running. */
    public LoopRunner loop() {
        return runner;
    }

    @Override
    public void start() {
        runner.start();
    }

    @Override
    public void close() {
        stop();
        runner.close();
    }

    /** See {@link io.mykit.delay.queue.producer.Producers#requirePlace}. */
    public void requirePlace() {
        if (!stopping && waiting.size() >= limit) {
            throw tooMany();
        }
    }

    /** See {@link io.mykit.delay.queue.producer.Producers#ended}. */
    public CompletableFuture<Void> ended(String id, Duration longest) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        int number = waiting.add(id, end, limit);
        if (number == 0) {
            throw tooMany();
        }
        CompletableFuture<?> unused = end.completeOnTimeout(null, longest.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((nothing, failure) -> waiting.remove(id, end));
        if (stopping) {
            // The stop may have looked at the entries before this one was among them.
            end.complete(null);
        } else if (number == 1) {
            runner.wake();
        }
        return end;
    }

    /** Ends all waits, because this node stops. Later calls do not wait. */
    public void stop() {
        stopping = true;
        end(waiting.all().values());
    }

    /** Returns the pause before the next look. */
    Duration look() {
        // A request that comes after the rows are read waits for the next look: its push may have begun an ended
        // message again.
        Map<String, List<CompletableFuture<Void>>> asked = waiting.all();
        if (asked.isEmpty()) {
            return NO_ENTRIES;
        }
        int ids = asked.size();
        long beginNanos = System.nanoTime();
        store.states(List.copyOf(asked.keySet())).stream()
                .filter(row -> row.status().isUnfinished())
                .map(RowState::id)
                .forEach(asked::remove);
        end(asked.values());
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos);
        return pause(ids, tookMs);
    }

    static Duration pause(int ids, long tookMs) {
        long pauseMs = Math.max(ids / ROWS_PER_MS, Math.min(tookMs * PAUSES_PER_LOOK, LONGEST_PAUSE_MS));
        return Duration.ofMillis(Math.max(SHORTEST_PAUSE_MS, pauseMs));
    }

    private static void end(Collection<List<CompletableFuture<Void>>> waits) {
        waits.forEach(ends -> ends.forEach(end -> end.complete(null)));
    }

    private static DelayException tooMany() {
        return new DelayException(ErrorCode.BUSY, "too many requests wait on this node; try again later");
    }
}
