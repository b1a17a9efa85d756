package io.mykit.delay.outbox;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Keeps the order of the calls on one message, and of those on one business key with its pushes. */
final class Order {
    private Order() {}

    /**
     * The ids of those rows of a relay that need not wait for a row of somebody else.
     *
     * @param own the ids of the relay's rows
     * @param all its rows and all that may have to come before them, in the order of their ids
     */
    static Set<Long> free(Set<Long> own, List<Lane> all) {
        Seen foreign = new Seen();
        Set<Long> free = new HashSet<>();
        for (Lane lane : all) {
            if (own.contains(lane.rowId()) && foreign.before(lane) < 0) {
                free.add(lane.rowId());
            } else {
                foreign.add(lane, 0);
            }
        }
        return free;
    }

    /**
     * Parts that are carried out one after the other. The calls of a part do not depend on each other.
     *
     * @param rows in the order of their ids
     */
    static List<List<Row>> parts(List<Row> rows) {
        Seen seen = new Seen();
        List<List<Row>> parts = new ArrayList<>();
        for (Row row : rows) {
            int part = seen.before(row.lane()) + 1;
            if (part == parts.size()) {
                parts.add(new ArrayList<>());
            }
            parts.get(part).add(row);
            seen.add(row.lane(), part);
        }
        return parts;
    }

    /** Those rows that do not depend on one of the failed ones. */
    static List<Row> withoutThoseAfter(List<Row> failed, List<Row> rows) {
        Seen seen = new Seen();
        failed.forEach(row -> seen.add(row.lane(), 0));
        return rows.stream().filter(row -> seen.before(row.lane()) < 0).collect(Collectors.toList());
    }
}
