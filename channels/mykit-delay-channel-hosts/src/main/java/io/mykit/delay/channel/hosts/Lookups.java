package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.common.lifecycle.Threads;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks names up on threads of its own, because a lookup may block for many seconds. There is one lookup of a name at a
 * time, so that a name whose server does not answer costs one thread. Thread-safe.
 */
public final class Lookups {
    private static final int THREADS = 32;
    private static final int IDLE_SECONDS = 10;

    private final HostResolver resolver;
    private final Duration timeout;
    /** The lookups that have not ended, by name. */
    private final ConcurrentHashMap<String, CompletableFuture<List<InetAddress>>> running = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Threads.numbered("host-lookup"));

    public Lookups(HostResolver resolver, Duration timeout) {
        this.resolver = resolver;
        this.timeout = timeout;
        threads.allowCoreThreadTimeOut(true);
    }

    /** The addresses of a destination, in the order in which they should be tried. Fails after the timeout. */
    public CompletionStage<List<InetAddress>> addresses(Destination destination) {
        return destination
                .address()
                .map(address -> CompletableFuture.completedFuture(List.of(address)))
                .orElseGet(
                        () -> lookup(destination.host()).copy().orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** The running lookup of a name; without one, it begins. */
    private CompletableFuture<List<InetAddress>> lookup(String host) {
        CompletableFuture<List<InetAddress>> begun = new CompletableFuture<>();
        CompletableFuture<List<InetAddress>> before = running.putIfAbsent(host, begun);
        if (before != null) {
            return before;
        }
        try {
            var unused = CompletableFuture.supplyAsync(() -> resolve(host), threads)
                    .whenComplete((addresses, thrown) -> end(host, begun, addresses, thrown));
        } catch (RuntimeException | Error e) {
            end(host, begun, null, e);
        }
        return begun;
    }

    /** A caller that has the answer may ask again at once, and causes a new lookup. */
    private void end(
            String host, CompletableFuture<List<InetAddress>> lookup, List<InetAddress> addresses, Throwable thrown) {
        running.remove(host);
        if (thrown == null) {
            lookup.complete(addresses);
        } else {
            lookup.completeExceptionally(thrown);
        }
    }

    private List<InetAddress> resolve(String host) {
        try {
            return resolver.resolve(host);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("the name of the host is not known", e);
        }
    }

    public void close() {
        threads.shutdownNow();
    }
}
