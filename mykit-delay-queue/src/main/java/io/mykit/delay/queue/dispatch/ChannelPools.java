package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Threads;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A pool of threads for each channel. A slow broker uses up only the threads of its own channel (bulkheads). Thread-safe.
 */
final class ChannelPools {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelPools.class);

    private final int threads;
    private final ConcurrentMap<String, ExecutorService> pools = new ConcurrentHashMap<>();

    ChannelPools(int threads) {
        this.threads = threads;
    }

    /**
     * Returns the pool of this channel. Its queue needs no bound, because each topic has a limited number of batches under
     * way.
     */
    ExecutorService of(String channel) {
        return pools.computeIfAbsent(channel, this::open);
    }

    void close(Duration timeout) {
        pools.values().forEach(ExecutorService::shutdown);
        long deadline = System.nanoTime() + timeout.toNanos();
        pools.forEach((channel, pool) -> {
            try {
                if (!pool.awaitTermination(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    LOG.warn(
                            "Channel {}: batches are still in flight after {}. Their messages wait for the end of their leases",
                            channel,
                            timeout);
                    pool.shutdownNow();
                }
            } catch (InterruptedException e) {
                pool.shutdownNow();
                Thread.currentThread().interrupt();
            }
        });
    }

    private ExecutorService open(String channel) {
        return Executors.newFixedThreadPool(threads, Threads.numbered("deliver-" + channel));
    }
}
