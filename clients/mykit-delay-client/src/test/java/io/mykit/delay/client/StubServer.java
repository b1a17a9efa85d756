package io.mykit.delay.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import io.mykit.delay.client.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server with scripted answers: one for each request, in order, and then the usual one. */
final class StubServer implements AutoCloseable {
    /** What becomes of a request. */
    @FunctionalInterface
    interface Reply {
        void to(HttpExchange exchange, Received request) throws IOException, InterruptedException;
    }

    /** A request as it arrived. */
    record Received(String method, String uri, String authorization, String body) {
        JsonObject json() {
            return JsonObject.of(JsonReader.read(body.getBytes(UTF_8)));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Queue<Reply> script = new ConcurrentLinkedQueue<>();
    private final List<Received> requests = new CopyOnWriteArrayList<>();

    StubServer(Reply usual) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                Received request = new Received(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        exchange.getRequestHeaders().getFirst("authorization"),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                requests.add(request);
                Reply scripted = script.poll();
                (scripted == null ? usual : scripted).to(exchange, request);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    /** Answers success, with the id of a pushed message as the data. */
    static StubServer accepting() {
        return new StubServer((exchange, request) -> ok(request.body().startsWith("{")
                        ? JsonWriter.write(request.json().get("id"))
                        : "null")
                .to(exchange, request));
    }

    StubServer then(Reply... replies) {
        script.addAll(List.of(replies));
        return this;
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Received> requests() {
        return requests;
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** @param data JSON */
    static Reply ok(String data) {
        return raw(200, "{\"success\":true,\"code\":200,\"message\":\"ok\",\"data\":" + data + "}");
    }

    static Reply refused(int status, String error) {
        return raw(status, envelope(status, error));
    }

    static Reply busy(String retryAfter) {
        return (exchange, request) -> {
            exchange.getResponseHeaders().set("retry-after", retryAfter);
            raw(429, envelope(429, "BUSY")).to(exchange, request);
        };
    }

    static String envelope(int status, String error) {
        return JsonWriter.write(
                Map.of("success", false, "code", status, "message", "because of " + error, "error", error));
    }

    static Reply raw(int status, String body) {
        return (exchange, request) -> {
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        };
    }

    /** The request is carried out, and its answer is lost: the connection is closed. */
    static Reply lost() {
        return (exchange, request) -> {};
    }

    /** The connection is closed in the middle of the answer. */
    static Reply half() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("{\"success\":tr".getBytes(UTF_8));
            exchange.getResponseBody().flush();
        };
    }

    /** The answer stalls after its head. */
    Reply stalled() {
        return (exchange, request) -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write("{\"success\":tr".getBytes(UTF_8));
            exchange.getResponseBody().flush();
            closed.await(1, TimeUnit.MINUTES);
        };
    }

    /** There is no answer. */
    Reply silence() {
        return (exchange, request) -> closed.await(1, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
