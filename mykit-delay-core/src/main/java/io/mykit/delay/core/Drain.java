package io.mykit.delay.core;

import io.mykit.delay.common.lifecycle.Service;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which a stopping node still serves requests, so that load balancers see that it is not ready and use other
 * nodes. {@link #begin()} starts the time, and {@link #close()} waits for its end, and for the messages that this node still sends:
 * until then {@code /health} tells about them. It must be closed after leadership was handed over and before the port closes. Thread-safe.
 */
final class Drain implements Service {
    private static final Logger LOG = LoggerFactory.getLogger(Drain.class);

    private final Supplier<Duration> period;
    private final Runnable announcement;
    private final Runnable deliveries;
    private final Runnable cutDeliveries;
    private final CountDownLatch cut = new CountDownLatch(1);
    private volatile long endNanos;
    private volatile boolean begun;

    /**
     * @param period is asked when the stop begins
     * @param announcement announces that this node is stopping
     * @param deliveries waits for the messages that this node still sends
     * @param cutDeliveries ends that wait
     */
    Drain(Supplier<Duration> period, Runnable announcement, Runnable deliveries, Runnable cutDeliveries) {
        this.deliveries = deliveries;
        this.cutDeliveries = cutDeliveries;
        this.period = period;
        this.announcement = announcement;
    }

    @Override
    public void start() {}

    void begin() {
        announcement.run();
        endNanos = System.nanoTime() + period.get().toNanos();
        begun = true;
    }

    /** Ends the waits now, because of a second signal. */
    void cut() {
        cutDeliveries.run();
        cut.countDown();
    }

    @Override
    public void close() {
        if (!begun) {
            return;
        }
        try {
            if (cut.await(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                LOG.info("A second signal: the stop waits for nothing more");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        deliveries.run();
    }
}
