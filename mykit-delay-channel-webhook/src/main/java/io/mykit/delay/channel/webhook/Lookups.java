package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.webhook.destination.Destination;
import io.mykit.delay.common.lifecycle.Threads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, because a lookup may block for many seconds.
 * Thread-safe.
 */
final class Lookups {
    private static final int THREADS = 32;
    private static final int IDLE_SECONDS = 10;

    private final HostResolver resolver;
    private final Duration timeout;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Threads.numbered("webhook-lookup"));

    Lookups(HostResolver resolver, Duration timeout) {
        this.resolver = resolver;
        this.timeout = timeout;
        threads.allowCoreThreadTimeOut(true);
    }

    /** The addresses of a destination, in the order in which they should be tried. Fails after the timeout. */
    CompletionStage<List<InetAddress>> addresses(Destination destination) {
        return destination
                .address()
                .map(address -> CompletableFuture.completedFuture(List.of(address)))
                .orElseGet(() -> CompletableFuture.supplyAsync(() -> resolve(destination.host()), threads)
                        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS));
    }

    private List<InetAddress> resolve(String host) {
        try {
            return resolver.resolve(host);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("the name of the host is not known", e);
        }
    }

    void close() {
        threads.shutdownNow();
    }
}
