package io.mykit.delay.common.lifecycle;

import static java.util.Objects.requireNonNull;

import io.mykit.delay.common.error.DelayException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the thread of a {@link Loop}. It runs the loop, waits as long as the loop asks, and wakes it early on request. Only
 * {@link #close()} ends the thread. After a failure of a round the runner waits for its backoff and goes on, and a failure of
 * the wait itself is treated alike: a wait allocates, so it fails when the memory is used up. {@link OutageLog} logs the
 * failure. A failure that means "a part is away" is logged by the package of that part. Idea: db-scheduler's
 * RunUntilShutdown with its Waiter.
 *
 * <p>All methods may be called from any thread, {@link #close()} also from the loop itself.
 */
public final class LoopRunner implements Service {
    /** A round is shorter than this, even if the usual timeouts of its calls run out. */
    public static final Duration STUCK = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(LoopRunner.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /** The interval of signs of life during a long wait. They distinguish a wait from a loop that hangs. */
    private static final long TICK_NANOS = Duration.ofSeconds(1).toNanos();

    private static final Duration LONGEST_PAUSE = Duration.ofDays(1);
    private static final Duration UNLOGGED_PAUSE = Duration.ofSeconds(1);

    private final String name;
    private final Loop loop;
    private final Backoff backoff;
    private final LongSupplier nanoTime;
    private final Duration closeTimeout;
    private final OutageLog outage;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private volatile boolean stopping;
    private volatile long lastTickNanos;
    /** Written by the thread of the loop, but for the start. */
    private volatile long ticks;

    private volatile int failures;
    /** Written by the thread of the loop. */
    private volatile long allFailures;

    private volatile Thread thread;

    public LoopRunner(String name, Loop loop, Backoff backoff) {
        this(name, loop, backoff, System::nanoTime, CLOSE_TIMEOUT);
    }

    LoopRunner(String name, Loop loop, Backoff backoff, LongSupplier nanoTime, Duration closeTimeout) {
        this.name = name;
        this.loop = loop;
        this.backoff = backoff;
        this.nanoTime = nanoTime;
        this.closeTimeout = closeTimeout;
        this.outage = new OutageLog(LOG, "The loop " + name + " fails", "The loop " + name + " works again", nanoTime);
        this.lastTickNanos = nanoTime.getAsLong();
    }

    @Override
    public void start() {
        lastTickNanos = nanoTime.getAsLong();
        Thread started = Threads.daemon(name, this::runUntilStopped);
        started.start();
        // Set only after the start: a thread is not alive before it, and {@link #isAlive} must not report a dead loop.
        thread = started;
    }

    /** Ends the current wait, or makes the next one return at once. Never blocks for long. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public String name() {
        return name;
    }

    /**
     * Time since the last sign of life of the loop: the begin of a round, the begin of a wait, or a second of waiting. It
     * grows without bound if the loop hangs or its thread died.
     */
    public Duration sinceLastTick() {
        return Duration.ofNanos(nanoTime.getAsLong() - lastTickNanos);
    }

    /** Whether the thread lives and its last sign of life is not older than {@link #STUCK}. */
    public boolean lives() {
        return isAlive() && sinceLastTick().compareTo(STUCK) < 0;
    }

    /** The number of signs of life so far. It tells whether the loop lived between two looks, however long the process slept. */
    public long ticks() {
        return ticks;
    }

    /** The number of rounds that failed in a row. */
    public int failures() {
        return failures;
    }

    /** The number of rounds that failed. */
    public long allFailures() {
        return allFailures;
    }

    /** Whether the thread is alive or not started yet. A loop that is not started yet does not count as dead. */
    public boolean isAlive() {
        Thread current = thread;
        return current == null ? !stopping : current.isAlive();
    }

    /** Waits at most ten seconds for the current round, and then interrupts it. */
    @Override
    public void close() {
        stopping = true;
        wake();
        Thread current = thread;
        if (current == null || current == Thread.currentThread()) {
            return;
        }
        try {
            current.join(closeTimeout.toMillis());
            if (current.isAlive()) {
                LOG.warn("The loop {} did not stop within {}; its thread is interrupted", name, closeTimeout);
                current.interrupt();
            }
        } catch (InterruptedException e) {
            current.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private void runUntilStopped() {
        while (!stopping) {
            try {
                tick();
                Duration pause = runGuarded();
                tick();
                await(pause);
            } catch (Throwable e) {
                pauseAfterAny(e);
                // This wait allocates nothing. It ignores wakes, and an interrupt would end it at once.
                Thread.interrupted();
                LockSupport.parkNanos(TICK_NANOS);
            }
        }
    }

    private void tick() {
        lastTickNanos = nanoTime.getAsLong();
        long next = ticks + 1;
        ticks = next;
    }

    private Duration runGuarded() {
        try {
            Duration pause = requireNonNull(loop.runOnce(), "pause");
            failures = 0;
            outage.succeeded();
            // Beyond 292 years the nanoseconds would overflow, and due times go up to the year 9999.
            return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
        } catch (Throwable e) {
            // Catches every throwable: without this thread the process would look healthy and do no work. An
            // InterruptedException without a close() is no reason to end, either.
            return pauseAfterAny(e);
        }
    }

    private Duration pauseAfterAny(Throwable failure) {
        try {
            return pauseAfter(failure);
        } catch (Throwable unlogged) {
            // The memory is used up, perhaps, and a log line would fail as this one did. The counters have the failure.
            return UNLOGGED_PAUSE;
        }
    }

    private Duration pauseAfter(Throwable failure) {
        int failed = failures + 1;
        failures = failed;
        long all = allFailures + 1;
        allFailures = all;
        Duration pause = backoff.after(failed);
        if (failure instanceof DelayException known && known.code().isOutage()) {
            // The package of the part that is away logs the outage, once and not from every loop.
            LOG.debug("The loop {} failed, next try in {} ms", name, pause.toMillis(), failure);
        } else {
            outage.failed("next try in " + pause.toMillis() + " ms: " + failure, failure);
        }
        return pause;
    }

    private void await(Duration pause) {
        lock.lock();
        try {
            long left = pause.toNanos();
            while (!woken && !stopping && left > 0) {
                long slice = Math.min(left, TICK_NANOS);
                left -= slice - changed.awaitNanos(slice);
                tick();
            }
            woken = false;
        } catch (InterruptedException e) {
            // By close(), and then the loop ends; or left by a part that the round used, and then it goes on.
            LOG.debug("The wait of the loop {} was interrupted", name);
        } finally {
            lock.unlock();
        }
    }
}
