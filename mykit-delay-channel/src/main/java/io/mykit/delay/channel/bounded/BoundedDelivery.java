package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Calls a broker's client library and waits no longer than told, whatever the library does: the call runs on a thread
 * of this class, and a caller whose time ran out goes on with "unavailable" for what is not known by then.
 *
 * <p>A part that is refused is halved again and again, so that one bad message costs about {@code 2 log2(n)} sends and
 * does not hold up the others. Where it is unclear whether the broker is to blame, a few messages sent alone decide.
 * Thread-safe.
 */
public final class BoundedDelivery implements AutoCloseable {
    /** {@link DeliveryChannel#health} has a second. */
    private static final Duration HEALTH_TIMEOUT = Duration.ofMillis(900);

    private final Duration sendTimeout;
    /** Grows with the callers, which are few; a call that a library does not let go of keeps its thread. */
    private final ExecutorService calls;

    /** @param name for the threads */
    public BoundedDelivery(String name, Duration sendTimeout) {
        this.sendTimeout = sendTimeout;
        this.calls = Executors.newCachedThreadPool(Threads.numbered(name + "-call"));
    }

    /** Sends the parts of a batch one after the other; see {@link DeliveryChannel#deliver} for the answer. */
    public List<Delivery> deliver(BatchParts parts, BoundedSend send) {
        BatchFates fates = parts.fates();
        if (parts.isEmpty()) {
            return fates.seal("");
        }
        Future<?> call;
        try {
            call = calls.submit(() -> new PartSends(send, fates).sendAll(parts));
        } catch (RejectedExecutionException e) {
            return fates.seal("the channel is closed");
        }
        try {
            call.get(sendTimeout.toNanos(), TimeUnit.NANOSECONDS);
            return fates.seal("not sent");
        } catch (TimeoutException e) {
            List<Delivery> known = fates.seal("no confirmation within " + sendTimeout.toMillis() + " ms");
            letGo(call, send);
            return known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            List<Delivery> known = fates.seal("interrupted before the confirmation");
            letGo(call, send);
            return known;
        } catch (ExecutionException e) {
            return fates.seal(Reasons.of(e.getCause()));
        }
    }

    /** Asks the broker something; "down" if the answer does not come within a second. */
    public Health health(Callable<Health> question) {
        try {
            Future<Health> call = calls.submit(question);
            try {
                return call.get(HEALTH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException e) {
                call.cancel(true);
                return Health.down("no answer within " + HEALTH_TIMEOUT.toMillis() + " ms");
            }
        } catch (RejectedExecutionException e) {
            return Health.down("closed");
        } catch (ExecutionException e) {
            return Health.down(Reasons.of(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Health.down("interrupted");
        }
    }

    /** Runs something on a thread of this class and gives it at most {@code timeout}. */
    public void atMost(Duration timeout, Runnable action) {
        try {
            calls.submit(action).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            // Closing something that is broken or hangs: it is given up either way.
            return;
        }
    }

    /** Runs something that may block and that nobody waits for. */
    public void aside(Runnable action) {
        try {
            calls.execute(action);
        } catch (RejectedExecutionException e) {
            // Closed: close() lets go of everything by itself.
            return;
        }
    }

    @Override
    public void close() {
        calls.shutdownNow();
    }

    private void letGo(Future<?> call, BoundedSend send) {
        call.cancel(true);
        send.abandon();
    }
}
