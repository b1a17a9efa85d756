package io.mykit.delay.spring;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server with the calls of the client, in memory. Pushed messages are noted, and never due. */
final class DelayServerStub implements AutoCloseable {
    private static final long LOOK_MS = 10;

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Queue<Map<String, Object>>> ready = new ConcurrentHashMap<>();
    private final Map<String, JsonObject> latestPulls = new ConcurrentHashMap<>();
    private final Map<String, JsonObject> settled = new ConcurrentHashMap<>();
    private final List<JsonObject> pushed = new CopyOnWriteArrayList<>();
    private final List<JsonObject> pulls = new CopyOnWriteArrayList<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private final Map<String, String> refusals = new ConcurrentHashMap<>();
    private volatile List<Object> ofKey = List.of();
    private volatile int readiness = 200;

    DelayServerStub() {
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

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void readiness(int status) {
        readiness = status;
    }

    /** What a call for a business key is answered: an id and an error each; no error = done. */
    void ofKey(Map<String, String> errorsOfIds) {
        List<Object> items = new ArrayList<>();
        errorsOfIds.forEach((id, error) -> {
            int code = error.isEmpty() ? 200 : 409;
            items.add(Map.of("id", id, "success", code == 200, "code", code, "message", "", "error", error));
        });
        ofKey = items;
    }

    /** Refuses each later call of this path, with this error: UNAUTHORIZED is 401, any other 409. */
    void refuse(String path, String error) {
        refusals.put(path, error);
    }

    /** Gives each later call of this path no answer: the connection ends. */
    void hangUp(String path) {
        refusals.put(path, "");
    }

    /** Ends a refusal. */
    void accept(String path) {
        refusals.remove(path);
    }

    /** Lets a message be due. */
    void due(String topic, String id, String body) {
        due(topic, id, body, Map.of());
    }

    void due(String topic, String id, String body, Map<String, String> headers) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("topic", topic);
        message.put("subtopic", "sub");
        message.put("bizKey", "key");
        message.put("body", body);
        message.put("headers", headers);
        message.put("createTime", 1_799_999_940_000L);
        message.put("dueTime", 1_800_000_000_000L);
        message.put("attempt", 2);
        message.put("maxAttempts", 16);
        message.put("receipt", "receipt-of-" + id);
        message.put("leaseUntil", 1_800_000_060_000L);
        queue(topic).add(message);
    }

    List<JsonObject> pushed() {
        return pushed;
    }

    List<JsonObject> pulls() {
        return pulls;
    }

    /** How many pulls of a topic there were. */
    long pulls(String topic) {
        return pulls.stream().filter(pull -> topic(pull).equals(topic)).count();
    }

    List<String> authorizations() {
        return authorizations;
    }

    /** The calls in their order, such as {@code /push}, {@code /delete 20} or {@code /reschedule 20}, but pulls. */
    List<String> calls() {
        return calls;
    }

    /** The calls on messages, such as {@code ack 20}. */
    Set<String> settled() {
        return settled.keySet();
    }

    /** The fields of a call on a message; null = there was no such call. */
    JsonObject settled(String call, String id) {
        return settled.get(call + " " + id);
    }

    private void answer(HttpExchange exchange) throws IOException, InterruptedException {
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/health/ready")) {
            exchange.sendResponseHeaders(readiness, -1);
            return;
        }
        String authorization = exchange.getRequestHeaders().getFirst("authorization");
        authorizations.add(authorization == null ? "" : authorization);
        byte[] body = exchange.getRequestBody().readAllBytes();
        Object request = body.length == 0 ? Map.of() : JsonReader.read(body);
        String query = exchange.getRequestURI().getQuery();
        if (path.equals("/reschedule")) {
            JsonObject fields = JsonObject.of(request);
            calls.add(path + " " + fields.optionalText("id").orElseGet(() -> "key " + fields.text("bizKey")));
        } else if (!path.equals("/pull")) {
            calls.add(query == null ? path : path + " " + query.replace("jobId=", ""));
        }
        String error = refusals.get(path);
        if (error != null) {
            if (!error.isEmpty()) {
                int status = error.equals("UNAUTHORIZED") ? 401 : 409;
                send(exchange, status, Map.of("success", false, "code", status, "message", "no", "error", error));
            }
            return;
        }
        Object data =
                switch (path) {
                    case "/push" -> push(request);
                    case "/push/batch" ->
                        JsonObject.list(request).stream()
                                .map(message ->
                                        Map.of("success", true, "code", 200, "message", "ok", "data", push(message)))
                                .toList();
                    case "/pull" -> pull(JsonObject.of(request));
                    case "/delete" -> query.startsWith("topic=") ? ofKey : query;
                    case "/reschedule" -> JsonObject.of(request).get("id") == null ? ofKey : "";
                    default -> settle(path.substring(1), JsonObject.of(request));
                };
        send(exchange, 200, Map.of("success", true, "code", 200, "message", "ok", "data", data));
    }

    private static void send(HttpExchange exchange, int status, Map<String, Object> answer) throws IOException {
        byte[] bytes = JsonWriter.write(answer).getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private String push(Object message) {
        pushed.add(JsonObject.of(message));
        return JsonObject.of(message).text("id");
    }

    /** A later pull of the same topic ends this one: its consumer may have hung up, and must not get a message. */
    private List<Object> pull(JsonObject request) throws InterruptedException {
        String topic = topic(request);
        Queue<Map<String, Object>> queue = queue(topic);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.integer("wait"));
        synchronized (queue) {
            latestPulls.put(topic, request);
            pulls.add(request);
            while (latestPulls.get(topic) == request && System.nanoTime() < end) {
                Object first = queue.poll();
                if (first != null) {
                    return List.of(first);
                }
                queue.wait(LOOK_MS);
            }
        }
        return List.of();
    }

    private static String topic(JsonObject pull) {
        return (String) JsonObject.list(pull.get("topic")).get(0);
    }

    private String settle(String call, JsonObject request) {
        settled.put(call + " " + request.text("id"), request);
        return request.text("id");
    }

    private Queue<Map<String, Object>> queue(String topic) {
        return ready.computeIfAbsent(topic, any -> new ConcurrentLinkedQueue<>());
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
