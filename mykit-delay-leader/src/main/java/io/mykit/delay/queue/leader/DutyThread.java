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
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part that all electors share: the single thread that runs the duty, the pairs of begin and end, and the immediate
 * revocation of a term in doubt.
 *
 * <p>Any thread may call {@link #doubt()}; it only changes atomics. {@link #begin}, {@link #end} and {@link #isBegun()}
 * belong to this thread. All other threads reach them through {@link #execute}.
 */
final class DutyThread {
    private static final Logger LOG = LoggerFactory.getLogger(DutyThread.class);
    /** Time for the running step (a begin, a read from the registry) and for the duty's own bounded end. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private static final Duration INTERRUPTED_TIMEOUT = Duration.ofSeconds(2);

    private final LeaderDuty duty;
    private final Duration closeTimeout;
    private final ScheduledThreadPoolExecutor executor;
    private final AtomicLong doubts = new AtomicLong();
    private final AtomicBoolean closing = new AtomicBoolean();
    private volatile Thread thread;
    private volatile LeaderTerm term;
    /** The duty has begun completely, and its end has not started. */
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
        // A late event of a client that is being closed has no effect.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Runs the step on this thread; does not run it once closing. Any thread may call it; it never blocks. */
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

    /** Read it before asking the registry whether this node leads, and pass it to {@link #begin} with the answer. */
    long doubts() {
        return doubts.get();
    }

    /** Leadership is lost or uncertain. The term is over at once; the duty ends when this thread reaches it. */
    void doubt() {
        // In this order: if a begin does not see the new count, then its term is visible here.
        doubts.incrementAndGet();
        LeaderTerm current = term;
        if (current != null) {
            current.revoke();
        }
    }

    /**
     * Makes a term for {@link #begin}.
     *
     * @param onFenced as in {@link LeaderTerm}
     * @param givenUp runs on this thread, after the duty of a term that its work gave up has ended
     * @param confirmed as in {@link LeaderTerm}
     */
    LeaderTerm term(long epoch, Runnable onFenced, Runnable givenUp, BooleanSupplier confirmed) {
        return new LeaderTerm(epoch, onFenced, why -> execute(() -> giveUp(epoch, why, givenUp)), confirmed);
    }

    private void giveUp(long epoch, String why, Runnable givenUp) {
        if (epoch() == epoch) {
            LOG.error("This node gives up its term with epoch {}: {}. It contends again", epoch, why);
            end();
            givenUp.run();
        }
    }

    /**
     * Begins the duty, unless leadership became uncertain meanwhile.
     *
     * @param doubtsSeen {@link #doubts()} from before the win was verified
     * @return false if the duty was not begun, or was ended again because its begin threw
     */
    boolean begin(LeaderTerm next, long doubtsSeen) {
        long epoch = next.epoch();
        term = next;
        if (doubts.get() != doubtsSeen || closing.get()) {
            next.revoke();
            term = null;
            return false;
        }
        try {
            LOG.info("This node leads with epoch {}", epoch);
            duty.begin(next);
            working = true;
            return true;
        } catch (Throwable e) { // An Error too: each begin needs its end.
            LOG.error(
                    "The leader's work could not begin with epoch {}. This node gives the term up and contends again",
                    epoch,
                    e);
            next.revoke();
            end();
            return false;
        }
    }

    /** Ends the duty, if it has begun. */
    void end() {
        LeaderTerm ending = term;
        if (ending == null) {
            return;
        }
        try {
            duty.end();
        } catch (Throwable e) { // An Error too: the term is over, and the next one needs this thread.
            LOG.error(
                    "The leader's work of epoch {} did not end cleanly. The term is over; see the trace below",
                    ending.epoch(),
                    e);
        } finally {
            ending.revoke();
            working = false;
            term = null;
        }
        LOG.info("This node no longer leads with epoch {}", ending.epoch());
    }

    /** Whether the duty has begun and not ended, whether its term is active or not. */
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
     * Ends the duty, then runs {@code release} (idempotent, any thread), then stops the thread. A working term stays active
     * until its duty has ended, so that messages in flight can be settled. A term that is just beginning is revoked.
     *
     * <p>If this thread itself calls it (a duty that closes its elector), it returns at once, and all steps run afterwards.
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
        LOG.warn("The leader's work did not end within {}. Its thread is interrupted", closeTimeout);
        thread.interrupt();
        if (!await(last, INTERRUPTED_TIMEOUT)) {
            LOG.error("The leader's work did not end. Its term is revoked, and leadership is given up without its end");
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
            LOG.warn("The elector did not close completely; see the trace below", e.getCause());
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
        } catch (Throwable e) { // An Error too: the executor stops a repeated step that throws.
            LOG.error("A step of the election failed; see the trace below", e);
        }
    }
}
