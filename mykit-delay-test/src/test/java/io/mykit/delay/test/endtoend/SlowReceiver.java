package io.mykit.delay.test.endtoend;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A receiver of callbacks that answers at once at {@code /fast}, and after a time at {@code /slow}. Thread-safe. */
final class SlowReceiver implements AutoCloseable {
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Duration slow;
    private final List<Arrived> arrivals = new CopyOnWriteArrayList<>();

    SlowReceiver(Duration slow) {
        this.slow = slow;
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::receive);
        http.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    /** How often each message of a path arrived. */
    Map<String, Long> counts(String path) {
        return arrivals.stream()
                .filter(arrived -> arrived.path().equals(path))
                .collect(groupingBy(Arrived::id, counting()));
    }

    /** The longest time from a due time to an arrival at this path. */
    long latestMs(String path) {
        return arrivals.stream()
                .filter(arrived -> arrived.path().equals(path))
                .mapToLong(arrived -> arrived.atMs() - arrived.dueMs())
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }

    private void receive(HttpExchange exchange) throws IOException {
        long nowMs = System.currentTimeMillis();
        exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        arrivals.add(new Arrived(
                path,
                exchange.getRequestHeaders().getFirst("webhook-id"),
                Long.parseLong(exchange.getRequestHeaders().getFirst("mykit-delay-due-time")),
                nowMs));
        try {
            if (path.equals("/slow")) {
                TimeUnit.MILLISECONDS.sleep(slow.toMillis());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    private record Arrived(String path, String id, long dueMs, long atMs) {}
}
