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
import java.util.function.Function;

/**
 * Writes items in batches. Items that come while a batch is being written form the next batch. This is a group commit, as in
 * DeWitt et al., Implementation Techniques for Main Memory Database Systems, 1984: many items share one transaction, and no
 * item waits for a fixed delay. {@link CommitPause} and {@link Linger} decide when a batch waits a short time for more items.
 *
 * <p>With several lanes, a batch is gathered and written while another one is being written ({@link Lanes}). Items of one key are
 * written in the order in which they came.
 *
 * <p>Thread-safe: any thread puts items into a bounded queue, and the threads of the lanes write them.
 */
public final class GroupCommit<T> implements Service {
    /** So many items share the cost of a commit well enough: a batch of so many waits for no rate, and is worth a lane. */
    static final int ENOUGH = 16;

    private static final Duration LOOK_UP_FROM_EMPTY_QUEUE = Duration.ofMillis(200);
    private static final Duration LOOK_UP_FROM_NO_TURN = Duration.ofSeconds(1);
    private static final Backoff AFTER_DEFECT = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(1));

    private final BlockingQueue<T> waiting;
    private final BatchWriter<T> writer;
    private final GroupLimits limits;
    private final String full;
    private final Timer batches;
    private final Lanes<T> lanes;
    private final Linger linger;
    private final List<LoopRunner> loops = new ArrayList<>();
    private final Object idle = new Object();
    /** The lane that waits for a first item, or null. Guarded by {@link #idle}. */
    private Thread idleLane;

    private volatile long lastCameNanos;
    private volatile boolean closed;

    /**
     * @param name of the loop of the first lane; the others have a number behind it
     * @param key the key of an item, with equals and hashCode: two lanes never write items of one key at the same time
     * @param full what callers are told when too many items wait
     * @param batches measures the batches
     */
    public GroupCommit(
            String name, GroupLimits limits, Function<T, ?> key, String full, BatchWriter<T> writer, Timer batches) {
        this(name, limits, key, full, writer, batches, new ArrayBlockingQueue<>(limits.queue()));
    }

    GroupCommit(
            String name,
            GroupLimits limits,
            Function<T, ?> key,
            String full,
            BatchWriter<T> writer,
            Timer batches,
            BlockingQueue<T> waiting) {
        this.waiting = waiting;
        this.writer = writer;
        this.limits = limits;
        this.full = full;
        this.batches = batches;
        this.lanes = new Lanes<>(limits.lanes(), key, waiting::size);
        this.linger = new Linger(limits.linger());
        for (int lane = 1; lane <= limits.lanes(); lane++) {
            CommitPause pause = new CommitPause(limits.lanes());
            loops.add(new LoopRunner(lane == 1 ? name : name + "-" + lane, () -> commitOnce(pause), AFTER_DEFECT));
        }
    }

    /** Accepts an item, or fails it with BUSY. Returns at once. */
    public void submit(T item) {
        if (closed) {
            refuse(item);
        } else if (!waiting.offer(item)) {
            writer.fail(item, new DelayException(ErrorCode.BUSY, full));
        } else if (closed) {
            // The close may have looked for items before this one was among them.
            refuseWaiting();
        }
        lastCameNanos = System.nanoTime();
        lanes.came();
    }

    /** The number of items that wait. */
    public int waiting() {
        return waiting.size();
    }

    /** The loops that write, one for each lane. The health report checks that they are running. */
    public List<LoopRunner> loops() {
        return List.copyOf(loops);
    }

    @Override
    public void start() {
        loops.forEach(LoopRunner::start);
    }

    /** Ends the batches that are being written, and refuses all other items. */
    @Override
    public void close() {
        closed = true;
        wakeIdleLane();
        lanes.close();
        loops.parallelStream().forEach(LoopRunner::close);
        refuseWaiting();
    }

    private void refuseWaiting() {
        for (T left = waiting.poll(); left != null; left = waiting.poll()) {
            refuse(left);
        }
    }

    private void refuse(T item) {
        writer.fail(item, new DelayException(ErrorCode.BUSY, "the server is stopping"));
    }

    private Duration commitOnce(CommitPause pause) throws InterruptedException {
        // The list is allocated before items are taken from the queue: an OutOfMemoryError must not lose an item that
        // was taken.
        List<T> batch = new ArrayList<>(limits.batch());
        if (lanes.begin(LOOK_UP_FROM_NO_TURN)) {
            gather(batch, pause);
            if (!batch.isEmpty()) {
                write(batch, pause);
            }
        }
        return Duration.ZERO;
    }

    private void gather(List<T> batch, CommitPause pause) throws InterruptedException {
        boolean goesOn = false;
        try {
            boolean waited = !waiting.isEmpty();
            T first = awaitFirst();
            if (first != null) {
                batch.add(first);
                lanes.awaitFree(first);
                pause.await(() -> waiting.size() + batch.size());
                if (!lanes.isWriting()) {
                    linger.await(waited, () -> waiting.size() + batch.size(), () -> lastCameNanos);
                }
                takeMore(batch);
                linger.took(batch.size(), waited);
            }
            goesOn = true;
        } catch (RuntimeException | Error e) {
            batch.forEach(item -> writer.fail(item, e));
            throw e;
        } finally {
            if (!goesOn || batch.isEmpty()) {
                lanes.pass(goesOn);
            }
        }
    }

    /** Waits for an item; null if none came, or after the close. One lane gathers at a time, so one lane waits. */
    private T awaitFirst() throws InterruptedException {
        synchronized (idle) {
            if (closed) {
                return null;
            }
            idleLane = Thread.currentThread();
        }
        try {
            return waiting.poll(LOOK_UP_FROM_EMPTY_QUEUE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            if (closed) {
                return null;
            }
            throw e;
        } finally {
            noLongerIdle();
        }
    }

    /** An interrupt of the close that came with an item must not reach the store, which writes that item. */
    private void noLongerIdle() {
        synchronized (idle) {
            idleLane = null;
            if (closed) {
                Thread.interrupted();
            }
        }
    }

    private void wakeIdleLane() {
        synchronized (idle) {
            if (idleLane != null) {
                idleLane.interrupt();
            }
        }
    }

    private void takeMore(List<T> batch) {
        int most = Math.min(limits.batch(), lanes.share(waiting.size() + batch.size()));
        if (!lanes.isWriting()) {
            waiting.drainTo(batch, most - batch.size());
            return;
        }
        for (T next = waiting.peek();
                next != null && batch.size() < most && lanes.isFree(next);
                next = waiting.peek()) {
            batch.add(next);
            waiting.remove();
        }
    }

    private void write(List<T> batch, CommitPause pause) {
        boolean goesOn = false;
        long startedNanos = System.nanoTime();
        try {
            register(batch);
            writer.commit(batch);
            goesOn = true;
        } finally {
            lanes.wrote(batch, goesOn);
            long tookNanos = System.nanoTime() - startedNanos;
            batches.record(tookNanos, TimeUnit.NANOSECONDS);
            pause.ended(batch.size(), waiting.size(), tookNanos, lastCameNanos);
        }
    }

    private void register(List<T> batch) {
        try {
            lanes.taken(batch);
        } catch (RuntimeException | Error e) {
            batch.forEach(item -> writer.fail(item, e));
            throw e;
        }
    }
}
