package io.mykit.delay.client;

import static io.mykit.delay.client.StubServer.ok;
import static io.mykit.delay.client.StubServer.refused;

import io.mykit.delay.client.json.JsonObject;
import io.mykit.delay.client.json.JsonWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server with the calls of consumers, for one topic, in memory. Leases do not end by themselves. */
final class PullStub implements AutoCloseable {
    /** A call on a message, as it arrived. */
    record Settled(String call, String id, JsonObject fields) {}

    private final BlockingQueue<String> ready = new LinkedBlockingQueue<>();
    private final Map<String, String> held = new ConcurrentHashMap<>();
    private final List<Settled> settled = new CopyOnWriteArrayList<>();
    private final StubServer server = new StubServer((exchange, request) -> {
        String path = request.uri();
        if (path.equals("/push")) {
            ready.add(request.json().text("id"));
            ok(JsonWriter.write(request.json().text("id"))).to(exchange, request);
        } else if (path.equals("/pull")) {
            ok(JsonWriter.write(pull(request.json()))).to(exchange, request);
        } else {
            settle(path.substring(1), request.json()).to(exchange, request);
        }
    });

    StubServer server() {
        return server;
    }

    /** Lets a message be due. */
    void due(String... ids) {
        ready.addAll(List.of(ids));
    }

    /** Ends the lease of a message. */
    void lose(String id) {
        held.remove(id);
    }

    boolean isHeld(String id) {
        return held.containsKey(id);
    }

    /** The calls on messages, in their order, such as {@code ack 20}. */
    List<String> settled() {
        return settled.stream().map(each -> each.call() + " " + each.id()).toList();
    }

    /** The first call of this name on this message. */
    JsonObject settled(String call, String id) {
        return settled.stream()
                .filter(each -> each.call().equals(call) && each.id().equals(id))
                .findFirst()
                .orElseThrow()
                .fields();
    }

    long pulls() {
        return server.requests().stream()
                .filter(request -> request.uri().equals("/pull"))
                .count();
    }

    private List<Object> pull(JsonObject request) throws InterruptedException {
        List<String> ids = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(request.integer("wait"));
        String first = ready.poll();
        while (first == null && System.nanoTime() < deadline && !server.isClosed()) {
            first = ready.poll(20, TimeUnit.MILLISECONDS);
        }
        if (first != null) {
            ids.add(first);
            ready.drainTo(ids, (int) request.integer("count") - 1);
        }
        return ids.stream().map(this::message).toList();
    }

    private Object message(String id) {
        String receipt = "receipt-of-" + id;
        held.put(id, receipt);
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("id", id);
        message.put("topic", "orders");
        message.put("subtopic", "");
        message.put("bizKey", "");
        message.put("body", "body of " + id);
        message.put("headers", Map.of("tenant", "shop"));
        message.put("createTime", 1_799_999_940_000L);
        message.put("dueTime", 1_800_000_000_000L);
        message.put("priority", 0);
        message.put("attempt", 1);
        message.put("maxAttempts", 16);
        message.put("receipt", receipt);
        message.put("leaseUntil", 1_800_000_060_000L);
        return message;
    }

    private StubServer.Reply settle(String call, JsonObject fields) {
        String id = fields.text("id");
        settled.add(new Settled(call, id, fields));
        boolean holds = fields.text("receipt").equals(held.get(id));
        if (holds && !call.equals("extend")) {
            held.remove(id);
        }
        return holds ? ok("\"" + id + "\"") : refused(409, "LEASE_LOST");
    }

    @Override
    public void close() {
        server.close();
    }
}
