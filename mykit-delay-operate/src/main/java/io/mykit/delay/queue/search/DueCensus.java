package io.mykit.delay.queue.search;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts when the unfinished messages fall due, for people who look at the queue. A question begins a count if the last one is old:
 * ten seconds for each page that it read, at most ten minutes. So a small queue has new numbers at nearly each look. The answer is the
 * last count. A count reads index entries only, 10,000 at a time, and rests nine times as long as it reads: it takes a tenth of one
 * connection of the database, however many messages there are. A node that begins to lead counts once without a
 * question; after that: no question, no count. Each node counts for its own callers. Thread-safe; no call blocks.
 */
public final class DueCensus implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DueCensus.class);
    private static final long SOONEST_NANOS = Duration.ofSeconds(10).toNanos();
    private static final long LATEST_NANOS = Duration.ofMinutes(10).toNanos();
    private static final int PAGE = 10_000;
    private static final int REST = 9;

    private final SearchStore store;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ThreadPoolExecutor thread;
    private Optional<DueHistogram> counted = Optional.empty();
    private boolean running;
    private boolean begun;
    private long nextNanos;
    private long rows;
    private OptionalLong about = OptionalLong.empty();

    public DueCensus(SearchStore store, InstantSource clock) {
        this(store, clock, System::nanoTime);
    }

    DueCensus(SearchStore store, InstantSource clock, LongSupplier nanoTime) {
        this.store = store;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.thread = new ThreadPoolExecutor(
                1, 1, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), Threads.named("due-census"));
        thread.allowCoreThreadTimeOut(true);
    }

    /** The last count. Begins another one if it is time. */
    public synchronized DueCount count() {
        begin();
        OptionalDouble done = running && about.isPresent() && about.getAsLong() > 0
                ? OptionalDouble.of(Math.min(0.99, (double) rows / about.getAsLong()))
                : OptionalDouble.empty();
        return new DueCount(counted, running, done);
    }

    /** Begins a count if it is time, so that the first question finds an answer. */
    public synchronized void begin() {
        if (!running && !thread.isShutdown() && (!begun || nanoTime.getAsLong() - nextNanos >= 0)) {
            begun = true;
            running = true;
            rows = 0;
            about = OptionalLong.empty();
            thread.execute(this::run);
        }
    }

    private void run() {
        try {
            expect(store.estimate(MessageStatus.UNFINISHED, DueWindow.ALL));
            DueHistogram histogram = new DueHistogram(clock.millis());
            for (MessageStatus status : MessageStatus.UNFINISHED) {
                walk(status, histogram);
            }
            end(Optional.of(histogram), SOONEST_NANOS);
        } catch (DelayException e) {
            LOG.info(
                    "The count of what falls due when was given up, the next question begins another: {}",
                    e.getMessage());
            end(Optional.empty(), SOONEST_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end(Optional.empty(), SOONEST_NANOS);
        } catch (RuntimeException | Error e) {
            end(Optional.empty(), LATEST_NANOS);
            throw e;
        }
    }

    private void walk(MessageStatus status, DueHistogram histogram) throws InterruptedException {
        RowCursor after = RowCursor.START;
        List<RowCursor> page;
        do {
            long startNanos = System.nanoTime();
            page = store.keys(status, after, PAGE);
            page.forEach(key -> histogram.add(status, key.dueTimeMs()));
            advance(page.size());
            if (!page.isEmpty()) {
                after = page.get(page.size() - 1);
                TimeUnit.NANOSECONDS.sleep(REST * (System.nanoTime() - startNanos));
            }
        } while (page.size() == PAGE);
    }

    private synchronized void expect(OptionalLong estimate) {
        about = estimate;
    }

    private synchronized void advance(int read) {
        rows += read;
    }

    private synchronized void end(Optional<DueHistogram> result, long soonestNanos) {
        counted = result.or(() -> counted);
        running = false;
        nextNanos = nanoTime.getAsLong() + Math.max(soonestNanos, pauseNanos(rows));
    }

    /** The time from a count of so many messages to the next one. */
    static long pauseNanos(long rows) {
        return Math.min(LATEST_NANOS, SOONEST_NANOS * (1 + rows / PAGE));
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
