package io.mykit.delay.test.fault.halt;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.test.client.Answer;
import io.mykit.delay.test.fault.history.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A consumer that pulls from a mortal server, and remembers what it has acknowledged. For one thread. */
final class Puller {
    /** A short hold: a message whose consumer or server died comes again soon. A call on a held message comes before its end. */
    private static final String TTR = "3s";

    private static final String WAIT = "2s";
    private static final long PATIENCE_NANOS = Duration.ofSeconds(20).toNanos();
    private static final int COUNT = 10;

    private final Clients clients;
    private final String topic;
    /** By id: a message counts as arrived once its ack was sent. */
    private final Map<String, Seen> acked = new LinkedHashMap<>();

    private List<JSONObject> held = List.of();

    Puller(Clients clients, String topic) {
        this.clients = clients;
        this.topic = topic;
    }

    List<Seen> acked() {
        return List.copyOf(acked.values());
    }

    /** Pushes the messages 1 to {@code last} of this round, due together. */
    void push(int last, long delayMs) {
        clients.push(topic, 1, last, delayMs);
    }

    /** Pulls until there are messages, or the server dies. */
    void pull() {
        String order = order(WAIT);
        held = List.of();
        long begin = System.nanoTime();
        while (held.isEmpty() && System.nanoTime() - begin < PATIENCE_NANOS) {
            Answer answer = clients.ask(client -> client.post("/pull", order));
            if (answer == null) {
                return;
            }
            JSONArray data = answer.status() == 200 ? answer.json().getJSONArray("data") : new JSONArray();
            held = data.stream().map(JSONObject.class::cast).toList();
        }
    }

    /** Makes this call on all messages that it holds. */
    void settle(String path) {
        if (held.isEmpty()) {
            return;
        }
        if (path.equals("/ack")) {
            held.forEach(message -> acked.putIfAbsent(message.getString("id"), seen(message)));
        }
        settleAgain(path);
    }

    /** The same call again, as a consumer without an answer does. */
    void settleAgain(String path) {
        List<Map<String, String>> items = new ArrayList<>();
        for (JSONObject message : held) {
            items.add(Map.of("id", message.getString("id"), "receipt", message.getString("receipt")));
        }
        Answer answer = clients.ask(client -> client.post(path, JSON.toJSONString(Map.of("items", items))));
        if (answer != null && answer.status() != 200) {
            clients.ledger().surprised(path + " was answered with " + answer.text());
        }
    }

    /** Pulls and acknowledges until the messages of this round are finished. */
    void workAll() throws InterruptedException {
        long begin = System.nanoTime();
        while (!clients.roundIs(MessageStatus.FINISH) && System.nanoTime() - begin < PATIENCE_NANOS) {
            pull();
            settle("/ack");
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /**
     * Pulls once more, as consumers do. A message that ended during the count of an ended hold may be in a ready list; the server
     * forgets it at the next pull.
     */
    void lookAgain() {
        clients.ask(client -> client.post("/pull", order("0s")));
    }

    private String order(String wait) {
        return JSON.toJSONString(Map.of("topic", topic, "count", COUNT, "wait", wait, "ttr", TTR));
    }

    private Seen seen(JSONObject message) {
        return new Seen(
                message.getString("id"),
                topic,
                message.getString("body"),
                message.getLongValue("dueTime"),
                System.currentTimeMillis());
    }
}
