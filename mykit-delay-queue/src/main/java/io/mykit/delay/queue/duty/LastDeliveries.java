package io.mykit.delay.queue.duty;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.config.StopConfig;
import io.mykit.delay.config.StopTimes;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for the outcomes of the messages that a term of this node still sends when it ends, so that the end of the term need not wait
 * for them: the messages are left under holds that this node extends, and the next leader begins at once. Thread-safe.
 *
 * <p>A crash of this node ends the holds after {@link #HOLD}: the next leader then delivers the messages, as after a crash of a leader.
 */
public final class LastDeliveries implements HealthCheck, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LastDeliveries.class);
    /** Most sends end in it, and need no hold. */
    private static final Duration QUICK = Duration.ofMillis(200);
    /** Longer than a pause of the JVM and a reconnect to Redis. */
    private static final Duration HOLD = Duration.ofSeconds(10);

    private static final Duration RENEWAL = Duration.ofSeconds(3);
    private static final Duration LOOK = Duration.ofMillis(10);
    private static final Duration RECORDING = Duration.ofSeconds(5);

    private final Duration timeout;
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    /** Waits for its part of the time of a stop. */
    public static LastDeliveries within(StopConfig stop) {
        return new LastDeliveries(StopTimes.deliveries(stop));
    }

    /** @param timeout the maximum of the wait for the messages of a term */
    public LastDeliveries(Duration timeout) {
        this.timeout = timeout;
    }

    /** Takes over the messages of a term that has ended, and returns soon: their leadership may be given up then. */
    void take(Remainder remainder) {
        if (ends(remainder, QUICK)) {
            remainder.close(RECORDING);
            return;
        }
        Wait wait = new Wait(remainder, System.nanoTime() + timeout.toNanos());
        LOG.info(
                "{} messages are being sent at the end of the term; this node waits for their outcomes, at most {} s",
                remainder.messages(),
                timeout.toSeconds());
        remainder.leave(HOLD);
        waits.add(wait);
        Threads.daemon("last-deliveries", wait).start();
    }

    /** Ends the wait of {@link #close} now. */
    public void cut() {
        cut = true;
    }

    @Override
    public String name() {
        return "lastDeliveries";
    }

    @Override
    public boolean isImmediate() {
        return true;
    }

    /** Up in any case; details only while this node waits. */
    @Override
    public Health check() {
        int messages =
                waits.stream().mapToInt(wait -> wait.remainder.messages()).sum();
        long leftMs = waits.stream().mapToLong(Wait::leftMs).max().orElse(0);
        return Health.up(waits.isEmpty() ? Map.of() : Map.of("messages", messages, "atMostMs", leftMs));
    }

    /** Waits for the outcomes of all messages that this node still sends, within the time of each term. */
    @Override
    public void close() {
        try {
            for (Wait wait : waits) {
                wait.over.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the outcomes of all messages are recorded within this time. */
    private boolean ends(Remainder remainder, Duration within) {
        long endNanos = System.nanoTime() + within.toNanos();
        try {
            while (remainder.messages() > 0) {
                if (cut || System.nanoTime() - endNanos > 0) {
                    return false;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }

    /** The messages of one term. */
    interface Remainder {
        /** The number of those without a recorded outcome. */
        int messages();

        /** From now on they are under holds of this length. */
        void leave(Duration hold);

        /** The holds end this time from now. */
        void renew(Duration hold);

        /** Ends the threads that record outcomes; they get this time. */
        void close(Duration timeout);
    }

    private final class Wait implements Runnable {
        private final Remainder remainder;
        private final long endNanos;
        private final CountDownLatch over = new CountDownLatch(1);

        Wait(Remainder remainder, long endNanos) {
            this.remainder = remainder;
            this.endNanos = endNanos;
        }

        @Override
        public void run() {
            try {
                while (leftMs() > 0
                        && !cut
                        && !ends(remainder, Duration.ofMillis(Math.min(leftMs(), RENEWAL.toMillis())))) {
                    renew();
                    LOG.info("Waits for the outcomes of {} messages, at most {} ms", remainder.messages(), leftMs());
                }
                int messages = remainder.messages();
                if (messages > 0) {
                    LOG.warn(
                            "Gives up the wait for the outcomes of {} messages: they may be delivered twice", messages);
                }
                remainder.close(messages > 0 ? Duration.ZERO : RECORDING);
            } finally {
                waits.remove(this);
                over.countDown();
            }
        }

        private void renew() {
            try {
                remainder.renew(HOLD);
            } catch (RuntimeException e) {
                LOG.warn("The holds of messages that are being sent could not be extended", e);
            }
        }

        long leftMs() {
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime()));
        }
    }
}
