package io.mykit.delay.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonReader;
import io.mykit.delay.client.json.JsonWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server in memory that notes the calls, such as {@code push a} or {@code cancel a}, and answers as it is told. */
final class QueueStub implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<JsonObject> messages = new CopyOnWriteArrayList<>();
    private final Map<String, List<Long>> moves = new ConcurrentHashMap<>();
    private final Map<String, String> errors = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
    private volatile String poison = "";
    private volatile int poisonStatus;
    private volatile String cut = "";
    private volatile int status = 200;
    private volatile String retryAfter = "";

    QueueStub() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    DelayClient client() {
        return DelayClient.builder()
                .endpoint("http://127.0.0.1:" + server.getAddress().getPort())
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    List<String> calls() {
        return calls;
    }

    /** The pushed messages, the repeated ones too. */
    List<JsonObject> messages() {
        return messages;
    }

    /** The due times to which a message was moved, in their order. */
    List<Long> moves(String id) {
        return moves.getOrDefault(id, List.of());
    }

    /** Answers each later request with this status, and 200 again. */
    void status(int newStatus, String newRetryAfter) {
        retryAfter = newRetryAfter;
        status = newStatus;
    }

    /** Refuses a later call, such as {@code push a}, with a status and an error word, such as {@code 409 ID_CONFLICT}. */
    void refuse(String call, String error) {
        errors.put(call, error);
    }

    void accept(String call) {
        errors.remove(call);
    }

    /** Answers each later request with this word in its URL or body as a proxy does, by a page. An empty word is in all of them. */
    void turnAwayByProxy(String word, int newStatus) {
        poison = word;
        poisonStatus = newStatus;
    }

    /** Ends the connection of each later request with this word in its URL or body, without an answer. An empty word ends none. */
    void cut(String word) {
        cut = word;
    }

    /** Lets this call wait for its answer. */
    void hold(String call) {
        held.put(call, new CountDownLatch(1));
    }

    void letGo(String call) {
        held.remove(call).countDown();
    }

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        String query = "" + exchange.getRequestURI().getQuery();
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (status != 200) {
            if (!retryAfter.isEmpty()) {
                exchange.getResponseHeaders().set("retry-after", retryAfter);
            }
            calls.add("turned away");
            send(exchange, status, envelope(status + " BUSY"));
            return;
        }
        if (poisonStatus != 0 && (query + new String(body, UTF_8)).contains(poison)) {
            calls.add("page");
            send(exchange, poisonStatus, "<html>not allowed</html>".getBytes(UTF_8));
            return;
        }
        if (!cut.isEmpty() && (query + new String(body, UTF_8)).contains(cut)) {
            calls.add("cut");
            return;
        }
        if (path.equals("/push/batch")) {
            List<?> batch = JsonObject.list(JsonReader.read(body));
            String whole = errors.get("batch");
            if (whole != null) {
                send(exchange, code(whole), envelope(whole));
                return;
            }
            List<Object> items = new ArrayList<>();
            for (Object message : batch) {
                items.add(push(JsonObject.of(message)));
            }
            send(exchange, 200, Map.of("success", true, "code", 200, "message", "ok", "data", items));
            return;
        }
        Map<String, Object> answer =
                switch (path) {
                    case "/push" -> push(JsonObject.of(JsonReader.read(body)));
                    case "/delete" ->
                        query.startsWith("topic=") ? ofKey("cancel " + query) : call("cancel " + query.substring(6));
                    default -> {
                        JsonObject fields = JsonObject.of(JsonReader.read(body));
                        yield fields.get("id") == null
                                ? ofKey("reschedule " + fields.text("bizKey"))
                                : move(fields.text("id"), fields.integer("triggerAt"));
                    }
                };
        send(exchange, (int) answer.get("code"), answer);
    }

    private Map<String, Object> move(String id, long dueTimeMs) throws InterruptedException {
        moves.computeIfAbsent(id, any -> new CopyOnWriteArrayList<>()).add(dueTimeMs);
        return call("reschedule " + id);
    }

    private Map<String, Object> push(JsonObject message) throws InterruptedException {
        messages.add(message);
        return call("push " + message.text("id"));
    }

    private Map<String, Object> call(String call) throws InterruptedException {
        calls.add(call);
        CountDownLatch latch = held.get(call);
        if (latch != null && !latch.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody let it go: " + call);
        }
        String error = errors.get(call);
        return error == null ? Map.of("success", true, "code", 200, "message", "ok", "data", "") : envelope(error);
    }

    private Map<String, Object> ofKey(String call) throws InterruptedException {
        Map<String, Object> answer = new LinkedHashMap<>(call(call));
        answer.computeIfPresent("data", (name, data) -> List.of(Map.of("id", "k1", "code", 200, "data", "k1")));
        return answer;
    }

    private static int code(String error) {
        return Integer.parseInt(error.substring(0, 3));
    }

    private static Map<String, Object> envelope(String error) {
        String word = error.substring(4);
        return Map.of("success", false, "code", code(error), "message", "because of " + word, "error", word);
    }

    private static void send(HttpExchange exchange, int code, Map<String, Object> answer) throws IOException {
        send(exchange, code, JsonWriter.write(answer).getBytes(UTF_8));
    }

    private static void send(HttpExchange exchange, int code, byte[] bytes) throws IOException {
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        held.values().forEach(CountDownLatch::countDown);
        server.stop(0);
        threads.shutdownNow();
    }
}
