package io.mykit.delay.queue.leader;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What every elector shares: the single thread on which a duty lives, the pairing of begin and end, and the immediate
 * revocation of a term that is in doubt.
 *
 * <p>{@link #doubt()} may be called from any thread and only flips atomics. {@link #begin}, {@link #end} and
 * {@link #isBegun()} belong to this thread, which all other threads reach through {@link #execute}.
 */
final class DutyThread {
    private static final Logger LOG = LoggerFactory.getLogger(DutyThread.class);
    /** For what runs (a begin, a read from the registry) plus the duty's own bounded end. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration INTERRUPTED_TIMEOUT = Duration.ofSeconds(2);

    private final LeaderDuty duty;
    private final Duration closeTimeout;
    private final ScheduledThreadPoolExecutor executor;
    private final AtomicLong doubts = new AtomicLong();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile Thread thread;
    private volatile LeaderTerm term;
    /** Begun completely, and not yet being ended. */
    private volatile boolean working;

    DutyThread(String queueName, LeaderDuty duty) {
        this(queueName, duty, CLOSE_TIMEOUT);
    }

    DutyThread(String queueName, LeaderDuty duty, Duration closeTimeout) {
        this.duty = duty;
        this.closeTimeout = closeTimeout;
        this.executor = new ScheduledThreadPoolExecutor(1, work -> {
            thread = Threads.daemon("leader-" + queueName, work);
            return thread;
        });
        // Late news from a client that is being closed has nobody left to tell.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Runs the step on this thread; not at all once closing. Any thread; never blocks. */
    void execute(Runnable step) {
        executor.execute(() -> run(step));
    }

    void schedule(Runnable step, Duration delay) {
        Future<?> unused = executor.schedule(() -> run(step), delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    void repeat(Runnable step, Duration period) {
        Future<?> unused =
                executor.scheduleWithFixedDelay(() -> run(step), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** To be read before asking whether this node leads, and handed to {@link #begin} with the answer. */
    long doubts() {
        return doubts.get();
    }

    /** Leadership is lost or cannot be vouched for: the term is over now, the duty ends when its thread gets to it. */
    void doubt() {
        // In this order: a begin that does not see the new count was early enough for its term to be seen here.
        doubts.incrementAndGet();
        LeaderTerm current = term;
        if (current != null) {
            current.revoke();
        }
    }

    /**
     * Takes up the duty, unless a doubt came up meanwhile.
     *
     * @param doubtsSeen {@link #doubts()} from before the win was verified
     * @return false if it was not begun, or was ended again because it threw
     */
    boolean begin(long epoch, long doubtsSeen, Runnable onFenced) {
        return begin(new LeaderTerm(epoch, onFenced), doubtsSeen);
    }

    /** The same with a term that the registry can confirm. */
    boolean begin(LeaderTerm next, long doubtsSeen) {
        long epoch = next.epoch();
        term = next;
        if (doubts.get() != doubtsSeen || closing.get()) {
            next.revoke();
            term = null;
            return false;
        }
        LOG.info("leading with epoch {}", epoch);
        try {
            duty.begin(next);
            working = true;
            return true;
        } catch (Throwable e) { // Whatever it is, the pair has to be completed.
            LOG.error("the duty could not begin with epoch {}; giving up this term", epoch, e);
            next.revoke();
            end();
            return false;
        }
    }

    /** Lays the duty down, if it was taken up. */
    void end() {
        LeaderTerm ending = term;
        if (ending == null) {
            return;
        }
        try {
            duty.end();
        } catch (Throwable e) { // The term is over in any case, and the next one needs this thread.
            LOG.error("the duty failed to end its term with epoch {}", ending.epoch(), e);
        } finally {
            ending.revoke();
            working = false;
            term = null;
        }
        LOG.info("no longer leading with epoch {}", ending.epoch());
    }

    /** Whether the duty is taken up, be its term still active or not. */
    boolean isBegun() {
        return term != null;
    }

    boolean isActive() {
        LeaderTerm current = term;
        return current != null && current.isActive();
    }

    /** The epoch of the active term, or 0. */
    long epoch() {
        LeaderTerm current = term;
        return current != null && current.isActive() ? current.epoch() : 0;
    }

    boolean isClosing() {
        return closing.get();
    }

    /**
     * Ends the duty, then runs {@code release} (idempotent, any thread), then stops the thread. A term in full work stays
     * active until its duty has ended, so that what is in flight can be settled; one that is just beginning is revoked.
     *
     * <p>From this thread itself (a duty that closes its elector) it returns at once and all that happens afterwards.
     */
    void close(Runnable release) {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        if (!working) {
            doubt();
        }
        Future<?> last = executor.submit(() -> {
            end();
            release.run();
            executor.shutdownNow();
        });
        if (Thread.currentThread() == thread || await(last, closeTimeout)) {
            return;
        }
        LOG.warn("the duty did not end within {} and is interrupted", closeTimeout);
        thread.interrupt();
        if (!await(last, INTERRUPTED_TIMEOUT)) {
            LOG.error("the duty did not end; its term is revoked and leadership released without it");
            doubt();
            release.run();
        }
    }

    private static boolean await(Future<?> last, Duration timeout) {
        try {
            last.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            LOG.warn("closing failed half way", e.getCause());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void run(Runnable step) {
        if (closing.get()) {
            return;
        }
        try {
            step.run();
        } catch (Throwable e) { // A repeated step that throws would never be repeated again.
            LOG.error("a step of the election failed", e);
        }
    }
}
