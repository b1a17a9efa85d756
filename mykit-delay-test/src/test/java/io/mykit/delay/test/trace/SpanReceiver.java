package io.mykit.delay.test.trace;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.awaitility.Awaitility;

/** Takes spans by OTLP over HTTP, as a collector does. */
final class SpanReceiver implements AutoCloseable {
    static final String SECRET = "s3cret-of-the-collector";
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<SeenSpan> spans = new CopyOnWriteArrayList<>();
    private final Set<String> tokens = ConcurrentHashMap.newKeySet();
    private final Map<String, Object> resource = new ConcurrentHashMap<>();
    private final HttpServer server;

    SpanReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    /** The settings of a server that sends its spans here. */
    Map<String, String> settings() {
        return Map.of(
                "tracing.otlp.endpoint",
                "http://127.0.0.1:" + server.getAddress().getPort(),
                "tracing.otlp.headers",
                "x-token=" + SECRET);
    }

    List<SeenSpan> spans() {
        return spans;
    }

    /** The values of the header with the secret. */
    Set<String> tokens() {
        return tokens;
    }

    Map<String, Object> resource() {
        return resource;
    }

    /** Waits for a span. */
    SeenSpan await(String name, Predicate<SeenSpan> which) {
        return awaitAll(name, which, 1).get(0);
    }

    /** Waits for so many spans. */
    List<SeenSpan> awaitAll(String name, Predicate<SeenSpan> which, int count) {
        return Awaitility.await("spans " + name)
                .atMost(PATIENCE)
                .until(
                        () -> spans.stream()
                                .filter(span -> span.name().equals(name) && which.test(span))
                                .toList(),
                        found -> found.size() >= count);
    }

    private void take(HttpExchange exchange) throws IOException {
        byte[] body;
        boolean zipped = "gzip".equals(exchange.getRequestHeaders().getFirst("content-encoding"));
        try (var in = zipped ? new GZIPInputStream(exchange.getRequestBody()) : exchange.getRequestBody()) {
            body = in.readAllBytes();
        }
        tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("x-token")));
        resource.putAll(SeenSpan.resource(body));
        spans.addAll(SeenSpan.readAll(body));
        exchange.getResponseHeaders().add("content-type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
