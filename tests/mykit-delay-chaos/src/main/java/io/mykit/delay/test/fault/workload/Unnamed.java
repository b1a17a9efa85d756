package io.mykit.delay.test.fault.workload;

import io.mykit.delay.test.fault.history.Pushed;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Pushes without an id, by their bodies. Each request that was not answered may have made a message of an id that nobody
 * was told. Thread-safe.
 */
final class Unnamed {
    private final Map<String, Sent> sent = new ConcurrentHashMap<>();

    void sending(Order order, long nowMs) {
        sent.putIfAbsent(order.body(), new Sent(order, nowMs, 0));
    }

    /** When it was first sent, epoch milliseconds. */
    long named(Order order) {
        return sent.get(order.body()).sentMs();
    }

    /** A request of it was not answered. */
    void lost(Order order) {
        sent.computeIfPresent(order.body(), (body, was) -> new Sent(was.order(), was.sentMs(), was.lost() + 1));
    }

    /** Rows of ids that nobody was told, as messages; without those that no lost answer explains. */
    List<Pushed> found(List<Row> rows) {
        Map<String, Integer> left = new HashMap<>();
        sent.forEach((body, mine) -> left.put(body, mine.lost()));
        List<Pushed> found = new ArrayList<>();
        for (Row row : rows) {
            if (left.merge(row.body(), -1, Integer::sum) >= 0) {
                found.add(of(row, sent.get(row.body())));
            }
        }
        return found;
    }

    private static Pushed of(Row row, Sent mine) {
        Version version = mine.order().named(row.id()).sentAt(mine.sentMs()).doubted();
        return new Pushed(row.id(), row.topic(), List.of(version));
    }

    private record Sent(Order order, long sentMs, int lost) {}
}
