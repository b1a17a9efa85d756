package io.mykit.delay.queue.commit;

import io.micrometer.core.instrument.Timer;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Writes items in batches. Items that come while a batch is being written form the next batch. This is a group commit, as in
 * DeWitt et al., Implementation Techniques for Main Memory Database Systems, 1984: many items share one transaction, and no
 * item waits for a fixed delay. {@link CommitPause} decides when a batch waits a short time for more items.
 *
 * <p>Thread-safe: any thread puts items into a bounded queue, and the thread of the loop writes them.
 */
public final class GroupCommit<T> implements Service {
    private static final Duration LOOK_UP_FROM_EMPTY_QUEUE = Duration.ofMillis(200);
    private static final Backoff AFTER_DEFECT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final BlockingQueue<T> waiting;
    private final CommitLane<T> lane;
    private final int batchLimit;
    private final String full;
    private final Timer batches;
    private final CommitPause gathering = new CommitPause();
    private final LoopRunner loop;
    private volatile long lastCameNanos;
    private volatile boolean closed;

    /**
     * @param name of the loop
     * @param queueLimit the maximum of items that wait
     * @param batchLimit the maximum of items in one batch
     * @param full what callers are told when too many items wait
     * @param batches measures the batches
     */
    public GroupCommit(String name, int queueLimit, int batchLimit, String full, CommitLane<T> lane, Timer batches) {
        this.waiting = new ArrayBlockingQueue<>(queueLimit);
        this.lane = lane;
        this.batchLimit = batchLimit;
        this.full = full;
        this.batches = batches;
        this.loop = new LoopRunner(name, this::commitOnce, AFTER_DEFECT);
    }

    /** Accepts an item, or fails it with BUSY. Returns at once. */
    public void submit(T item) {
        if (closed) {
            lane.fail(item, new DelayException(ErrorCode.BUSY, "the server is stopping"));
        } else if (!waiting.offer(item)) {
            lane.fail(item, new DelayException(ErrorCode.BUSY, full));
        }
        lastCameNanos = System.nanoTime();
    }

    /** The number of items that wait. */
    public int waiting() {
        return waiting.size();
    }

    /** The loop that writes. The health report checks that it is running. */
    public LoopRunner loop() {
        return loop;
    }

    @Override
    public void start() {
        loop.start();
    }

    /** Commits the items that were accepted before, and refuses later ones. */
    @Override
    public void close() {
        closed = true;
        loop.close();
        T left;
        while ((left = waiting.poll()) != null) {
            lane.fail(left, new DelayException(ErrorCode.BUSY, "the server is stopping"));
        }
    }

    private Duration commitOnce() throws InterruptedException {
        // The list is allocated before items are taken from the queue: an OutOfMemoryError must not lose an item that
        // was taken.
        List<T> batch = new ArrayList<>(batchLimit);
        T first = waiting.poll(LOOK_UP_FROM_EMPTY_QUEUE.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
            batch.add(first);
            gather(batch);
            long startedNanos = System.nanoTime();
            try {
                lane.commit(batch);
            } finally {
                long tookNanos = System.nanoTime() - startedNanos;
                batches.record(tookNanos, TimeUnit.NANOSECONDS);
                gathering.ended(batch.size(), waiting.size(), tookNanos, lastCameNanos);
            }
        }
        return Duration.ZERO;
    }

    private void gather(List<T> batch) {
        try {
            gathering.await(() -> waiting.size() + batch.size());
            waiting.drainTo(batch, batchLimit - batch.size());
        } catch (Error e) {
            batch.forEach(item -> lane.fail(item, e));
            throw e;
        }
    }
}
