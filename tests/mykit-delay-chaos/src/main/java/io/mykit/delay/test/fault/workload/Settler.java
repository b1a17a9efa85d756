package io.mykit.delay.test.fault.workload;

import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONArray;
import com.alibaba.fastjson2.JSONObject;
import io.mykit.delay.test.fault.history.HandedOut;
import io.mykit.delay.test.fault.history.Settling;
import io.mykit.delay.test.fault.history.Settling.Answered;
import io.mykit.delay.test.fault.history.Settling.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/** Settles what consumers hold, as careful consumers do, and remembers each answer. Thread-safe. */
final class Settler {
    private final Caller caller;
    private final LongSupplier clock;
    private final Queue<Settling> settlings = new ConcurrentLinkedQueue<>();

    /** @param clock epoch milliseconds */
    Settler(Caller caller, LongSupplier clock) {
        this.caller = caller;
        this.clock = clock;
    }

    List<Settling> settlings() {
        return List.copyOf(settlings);
    }

    /** Asks until each message has a last answer, or nobody gives one. */
    void settle(Kind kind, List<HandedOut> messages, Map<String, ?> fields) throws InterruptedException {
        List<HandedOut> left = new ArrayList<>(messages);
        long[] askedMs = {clock.getAsLong()};
        Runnable unknown = () -> left.forEach(message -> add(kind, message, askedMs[0], Answered.NOTHING_KNOWN, 0));
        caller.ask(
                client -> {
                    askedMs[0] = clock.getAsLong();
                    return client.post(kind.path(), json(left, fields));
                },
                answer -> {
                    if (answer.status() != 200) {
                        // The call as a whole was refused. A part may have been done before.
                        unknown.run();
                        return caller.isFinal(answer.status(), kind.path(), answer);
                    }
                    JSONArray items = answer.json().getJSONArray("data");
                    for (int i = items.size() - 1; i >= 0; i--) {
                        if (isLast(kind, left.get(i), askedMs[0], items.getJSONObject(i))) {
                            left.remove(i);
                        }
                    }
                    return left.isEmpty();
                },
                unknown);
    }

    private boolean isLast(Kind kind, HandedOut message, long askedMs, JSONObject item) {
        int code = item.getIntValue("code");
        String error = Optional.ofNullable(item.getString("error")).orElse("");
        switch (code + " " + error) {
            case "200 " -> {
                JSONObject data =
                        Optional.ofNullable(item.getJSONObject("data")).orElse(new JSONObject());
                boolean parked = kind == Kind.ACK && Boolean.FALSE.equals(data.getBoolean("recorded"));
                add(kind, message, askedMs, parked ? Answered.PARKED : Answered.DONE, data.getLongValue("leaseUntil"));
                return true;
            }
            case "409 LEASE_LOST", "409 ALREADY_FINISHED" -> {
                add(kind, message, askedMs, Answered.LOST, 0);
                return true;
            }
            default -> {
                add(kind, message, askedMs, Answered.NOTHING_KNOWN, 0);
                if (code != 429 && code != 503) {
                    caller.surprised(kind.path() + " of " + message.id() + " was answered with " + item);
                    return true;
                }
                return false;
            }
        }
    }

    private void add(Kind kind, HandedOut message, long askedMs, Answered answered, long untilMs) {
        settlings.add(
                new Settling(message.id(), message.receipt(), kind, askedMs, clock.getAsLong(), answered, untilMs));
    }

    private static String json(List<HandedOut> messages, Map<String, ?> fields) {
        List<Map<String, Object>> items = new ArrayList<>();
        for (HandedOut message : messages) {
            Map<String, Object> item = new LinkedHashMap<>(fields);
            item.put("id", message.id());
            item.put("receipt", message.receipt());
            items.add(item);
        }
        return JSON.toJSONString(Map.of("items", items));
    }
}
