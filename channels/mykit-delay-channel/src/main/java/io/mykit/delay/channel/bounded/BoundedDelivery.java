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
 * Calls a broker's client library and returns within a timeout, even if the library blocks longer. The call runs on a
 * thread of this class. After the timeout the caller gets UNAVAILABLE for each message whose fate is unknown.
 *
 * <p>If a part is refused, this class halves it again and again. So one bad message costs about {@code 2 log2(n)} sends and
 * does not stop the others. If it is unclear whether the broker is at fault, a few messages that are sent alone decide.
 * Thread-safe.
 */
public final class BoundedDelivery implements AutoCloseable {
    /** The time that {@link DeliveryChannel#health} has. */
    private static final Duration HEALTH_TIMEOUT = Duration.ofMillis(900);

    private final Duration sendTimeout;
    /** The pool grows with the number of callers, which is small. A call that the library never ends keeps its thread. */
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

    /** Asks the broker for its health; "down" if there is no answer within a second. */
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

    /** Runs a task on a thread of this class for at most {@code timeout}. */
    public void atMost(Duration timeout, Runnable action) {
        try {
            calls.submit(action).get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RejectedExecutionException e) {
            // The task closes a connection that is broken or hangs. Its failure has no consequence.
            return;
        }
    }

    /** Runs a task that may block. The caller does not wait for it. */
    public void aside(Runnable action) {
        try {
            calls.execute(action);
        } catch (RejectedExecutionException e) {
            // The class is closed, and close() releases everything itself.
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
