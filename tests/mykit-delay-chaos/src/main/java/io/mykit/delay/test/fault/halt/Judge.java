package io.mykit.delay.test.fault.halt;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.test.fault.history.Callbacks;
import io.mykit.delay.test.fault.history.Copy;
import io.mykit.delay.test.fault.history.Index;
import io.mykit.delay.test.fault.history.Pulls;
import io.mykit.delay.test.fault.history.Row;
import io.mykit.delay.test.fault.history.Run;
import io.mykit.delay.test.fault.history.Seen;
import io.mykit.delay.test.fault.history.Window;
import io.mykit.delay.test.fault.invariant.Invariants;
import io.mykit.delay.test.fault.watch.Remains;
import io.mykit.delay.test.store.FlowAudit;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the rows, keys and arrivals that the deaths of a lane left behind. For one thread. */
final class Judge {
    private static final long LOOK_MS = 50;
    /** Longer than a veto that no node lifts. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final long SOON_MS = TimeUnit.MINUTES.toMillis(10);

    private final Lane lane;

    Judge(Lane lane) {
        this.lane = lane;
    }

    /** Waits until every message has its right state. Returns the messages that have not reached it in time. */
    List<String> awaitQuiet() throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> open = unsettled();
        while (!open.isEmpty() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
            lane.consumer().lookAgain();
            open = unsettled();
        }
        return open;
    }

    /** Violations of all promises by their names. */
    Map<String, List<String>> judge(List<Window> windows) throws SQLException {
        Map<String, Row> rows = rows();
        return Invariants.check(new Run(
                lane.clients().ledger().pushed(rows.values()),
                seen(),
                windows,
                List.of(),
                List.of(),
                rows,
                index(rows.keySet()),
                FlowAudit.of(lane.databaseUrl()).violations(),
                Map.of(),
                lane.clients().ledger().surprises(),
                List.of(),
                Callbacks.NONE,
                Pulls.NONE,
                Remains.dead(lane.databaseUrl()),
                List.of(),
                Duration.ZERO));
    }

    /** How often each message arrived. */
    Map<String, Long> arrivals() {
        return seen().stream().collect(Collectors.groupingBy(Seen::id, Collectors.counting()));
    }

    private List<String> unsettled() throws SQLException {
        Map<String, Row> rows = rows();
        Index index = index(rows.keySet());
        List<String> open = new ArrayList<>(index.orphans());
        long due = FlowAudit.of(lane.databaseUrl())
                .rows("status IN (0, 1, 2, 5) AND due_time < " + (System.currentTimeMillis() + SOON_MS));
        if (due > 0) {
            open.add(due + " messages are due and unfinished");
        }
        long old = FlowAudit.of(lane.databaseUrl()).rows("id LIKE '" + Clients.OLD + "%'");
        if (old > 0) {
            open.add(old + " messages are old enough to be removed, and still there");
        }
        Set<String> seen = seen().stream().map(Seen::id).collect(Collectors.toSet());
        for (Row row : rows.values()) {
            if (row.status() == MessageStatus.FINISH && !seen.contains(row.id())) {
                open.add(row.id() + ": FINISH, and has not arrived");
            }
            boolean wanted = row.belongsIntoRedis();
            if (wanted != index.pool().containsKey(row.id())) {
                open.add(row.id() + ": " + row.status() + " in MySQL, " + (wanted ? "unknown to" : "still in")
                        + " Redis");
            }
        }
        return open;
    }

    private List<Seen> seen() {
        Stream<Seen> arrived = lane.inbox().arrivals().stream()
                .filter(arrival -> !arrival.id().startsWith(Clients.OLD))
                .map(arrival -> new Seen(arrival.id(), "", arrival.body(), arrival.dueTimeMs(), arrival.arrivedAtMs()));
        return Stream.concat(arrived, lane.consumer().acked().stream()).toList();
    }

    private Map<String, Row> rows() throws SQLException {
        Map<String, Row> rows = new HashMap<>(Remains.rows(lane.databaseUrl()));
        rows.keySet().removeIf(id -> id.startsWith(Clients.OLD));
        return rows;
    }

    /** Asked of the index itself, which knows how it keeps things. */
    private Index index(Set<String> rows) {
        MessageIndex index = lane.index();
        Set<String> ids = new HashSet<>(rows);
        ids.addAll(lane.clients().ledger().pushed().keySet());
        List<String> orphans = new ArrayList<>();
        for (int bucket = 0; bucket < index.buckets(); bucket++) {
            Census census = index.census(bucket);
            if (census.strays() > 0) {
                orphans.add("bucket " + bucket + ": " + census.strays() + " messages are in no place");
            }
            if (census.parked() > 0) {
                orphans.add("bucket " + bucket + ": " + census.parked() + " outcomes are parked");
            }
        }
        Map<String, Copy> pool = Remains.pool(lane.keys());
        pool.keySet().retainAll(index.locate(ids).keySet());
        return new Index(pool, Map.of(), orphans);
    }
}
