package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The table as a relay sees it: it takes rows under a lease, and returns or deletes them. A lease is a time of the database, so the
 * clocks of the instances do not matter. Immutable; each call is for a transaction that reads what is committed.
 */
record Claims(Table table) {
    /** As many characters as one request of the client has. */
    private static final long MAX_CHARACTERS = 1 << 20;
    /** Each may take the server seconds. */
    private static final int MAX_CALLS_OF_KEYS = 20;

    private record Candidate(Lane lane, int characters) {}

    /**
     * What a claim got.
     *
     * @param rows in the order of their ids; none that has to wait for a row of another relay
     * @param hadRows whether there were some, and be it that all of them have to wait
     * @param hasMore whether there may be others behind these rows; false if there are none of these
     */
    record Taken(List<Row> rows, boolean hadRows, boolean hasMore) {}

    /**
     * Takes rows.
     *
     * @param taker names this claim
     * @param behindMs a row that has to wait for another one is seen again after this time; null = if one has to wait, none is taken,
     *     and all stay as they are
     */
    Taken take(Connection connection, String taker, int limit, Duration lease, Long behindMs) throws SQLException {
        List<Candidate> found = candidates(connection, limit);
        List<Lane> candidates = bounded(found);
        if (candidates.isEmpty()) {
            return new Taken(List.of(), false, false);
        }
        boolean hasMore = found.size() == limit || candidates.size() < found.size();
        Set<Long> ids = ids(candidates);
        List<Lane> all = List.copyOf(neighbours(connection, candidates).values());
        Set<Long> free = Order.free(ids, all);
        Set<Long> behind = new HashSet<>(ids);
        behind.removeAll(free);
        if (behindMs == null && !behind.isEmpty()) {
            return new Taken(List.of(), true, false);
        }
        postpone(connection, behind, behindMs);
        if (free.isEmpty()) {
            return new Taken(List.of(), true, false);
        }
        int taken = mark(connection, taker, free, lease);
        Map<Long, Row> rows = read(connection, taker, free);
        if (taken == free.size()) {
            return new Taken(List.copyOf(rows.values()), true, hasMore);
        }
        // Without SKIP LOCKED another relay may have been faster. Rows behind one that it took go back.
        Set<Long> own = Order.free(rows.keySet(), all);
        List<Row> back =
                rows.values().stream().filter(row -> !own.contains(row.id())).toList();
        release(
                connection,
                taker,
                ids(back.stream().map(Row::lane).toList()),
                behindMs == null ? 0 : behindMs,
                Tries.UNTRIED);
        return new Taken(
                rows.values().stream().filter(row -> own.contains(row.id())).toList(), true, hasMore && !own.isEmpty());
    }

    private List<Candidate> candidates(Connection connection, int limit) throws SQLException {
        return Sql.query(
                connection,
                "SELECT " + Table.LANE + ", content_length FROM " + table.name()
                        + " WHERE set_aside = 0 AND not_before <= " + now() + " ORDER BY row_id LIMIT ?"
                        + (table.dialect().skipsLocked() ? " FOR UPDATE SKIP LOCKED" : ""),
                List.of(limit),
                row -> new Candidate(lane(row), row.getInt("content_length")));
    }

    private static List<Lane> bounded(List<Candidate> candidates) {
        List<Lane> bounded = new ArrayList<>();
        long characters = 0;
        int ofKeys = 0;
        for (Candidate candidate : candidates) {
            if (candidate.lane().operation().isOfKey() && ++ofKeys > MAX_CALLS_OF_KEYS) {
                // Those behind it are found to be so.
                continue;
            }
            characters += candidate.characters();
            if (!bounded.isEmpty() && characters > MAX_CHARACTERS) {
                break;
            }
            bounded.add(candidate.lane());
        }
        return bounded;
    }

    /** All rows that may have to come before a candidate, and the candidates, in the order of their ids. */
    private TreeMap<Long, Lane> neighbours(Connection connection, List<Lane> candidates) throws SQLException {
        TreeMap<Long, Lane> found = new TreeMap<>();
        candidates.forEach(candidate -> found.put(candidate.rowId(), candidate));
        long last = found.lastKey();
        Set<Object> messages = new HashSet<>();
        Set<Key> keys = new HashSet<>();
        Set<Key> called = new HashSet<>();
        for (Lane lane : candidates) {
            if (lane.messageId() != null) {
                messages.add(lane.messageId());
            }
            if (lane.key() != null) {
                (lane.operation().isOfKey() ? called : keys).add(lane.key());
            }
        }
        if (!messages.isEmpty()) {
            lanes(connection, found, "message_id IN " + Sql.in(messages.size()), messages, last, "");
        }
        if (!keys.isEmpty()) {
            Set<Object> words = new HashSet<>(keys.stream().map(Key::bizKey).toList());
            String calls = " AND operation IN ('" + Operation.CANCEL_OF_KEY.word() + "','"
                    + Operation.RESCHEDULE_OF_KEY.word() + "')";
            lanes(connection, found, "biz_key IN " + Sql.in(words.size()) + calls, words, last, "");
        }
        for (Key key : called) {
            // One foreign row before the call is enough, and among more rows than candidates there is one.
            String first = " ORDER BY row_id LIMIT " + (candidates.size() + 1);
            lanes(connection, found, "topic = ? AND biz_key = ?", List.of(key.topic(), key.bizKey()), last, first);
        }
        return found;
    }

    private void lanes(
            Connection connection,
            Map<Long, Lane> into,
            String condition,
            Collection<Object> values,
            long last,
            String end)
            throws SQLException {
        String sql = "SELECT " + Table.LANE + " FROM " + table.name() + " WHERE set_aside = 0 AND " + condition
                + " AND row_id <= ?" + end;
        Sql.query(connection, sql, Sql.values(values, last), Claims::lane)
                .forEach(lane -> into.put(lane.rowId(), lane));
    }

    private static Lane lane(ResultSet row) throws SQLException {
        String bizKey = row.getString("biz_key");
        return new Lane(
                row.getLong("row_id"),
                Operation.of(row.getString("operation")),
                row.getString("message_id"),
                bizKey == null ? null : new Key(row.getString("topic"), bizKey));
    }

    private void postpone(Connection connection, Set<Long> ids, Long behindMs) throws SQLException {
        if (!ids.isEmpty()) {
            Sql.update(
                    connection,
                    "UPDATE " + table.name() + " SET not_before = " + now() + " + " + behindMs
                            + " WHERE set_aside = 0 AND not_before <= " + now() + " AND row_id IN "
                            + Sql.in(ids.size()),
                    ids);
        }
    }

    /** From here on a crash leaves the rows under the lease. */
    private int mark(Connection connection, String taker, Set<Long> ids, Duration lease) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(lease.toMillis());
        values.add(taker);
        values.addAll(ids);
        return Sql.update(
                connection,
                "UPDATE " + table.name() + " SET not_before = " + now() + " + ?, taken_by = ?, tries = tries + 1"
                        + " WHERE set_aside = 0 AND not_before <= " + now() + " AND row_id IN " + Sql.in(ids.size()),
                values);
    }

    private Map<Long, Row> read(Connection connection, String taker, Set<Long> ids) throws SQLException {
        Map<Long, Row> rows = new LinkedHashMap<>();
        Sql.query(
                        connection,
                        "SELECT " + Table.LANE + ", content, due_at, created_at, tries FROM " + table.name()
                                + " WHERE taken_by = ? AND row_id IN " + Sql.in(ids.size()) + " ORDER BY row_id",
                        Sql.values(taker, ids),
                        row -> {
                            String topic = row.getString("topic");
                            return new Row(
                                    lane(row),
                                    topic == null ? "" : topic,
                                    row.getString("content"),
                                    Instant.ofEpochMilli(row.getLong("due_at")),
                                    Instant.ofEpochMilli(row.getLong("created_at")),
                                    row.getInt("tries"));
                        })
                .forEach(row -> rows.put(row.id(), row));
        return rows;
    }

    /** Returns the number of rows that the claim still has. */
    int renew(Connection connection, String taker, Collection<Long> ids, Duration lease) throws SQLException {
        List<Object> values = new ArrayList<>();
        values.add(lease.toMillis());
        values.add(taker);
        values.addAll(ids);
        return Sql.update(
                connection,
                "UPDATE " + table.name() + " SET not_before = " + now() + " + ? WHERE taken_by = ? AND row_id IN "
                        + Sql.in(ids.size()),
                values);
    }

    void delete(Connection connection, String taker, Collection<Long> ids) throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        Sql.update(
                connection,
                "DELETE FROM " + table.name() + " WHERE taken_by = ? AND row_id IN " + Sql.in(ids.size()),
                Sql.values(taker, ids));
    }

    /** What a row that goes back knows of its tries. */
    enum Tries {
        KEPT(""),
        /** The try did not reach a server for sure. */
        UNTRIED(", tries = tries - 1"),
        /** All calls failed. Tries of an outage do not count when the row alone has trouble later. */
        OF_OUTAGE(", tries = LEAST(tries, " + Gap.GROWTH_END + ")");

        private final String assignment;

        Tries(String assignment) {
            this.assignment = assignment;
        }
    }

    /** Gives rows back. */
    void release(Connection connection, String taker, Collection<Long> ids, long delayMs, Tries tries)
            throws SQLException {
        if (ids.isEmpty()) {
            return;
        }
        List<Object> values = new ArrayList<>();
        values.add(delayMs);
        values.add(taker);
        values.addAll(ids);
        Sql.update(
                connection,
                "UPDATE " + table.name() + " SET not_before = " + now() + " + ?, taken_by = NULL"
                        + tries.assignment + " WHERE taken_by = ? AND row_id IN "
                        + Sql.in(ids.size()),
                values);
    }

    void setAside(Connection connection, String taker, long id, String reason) throws SQLException {
        String kept = reason.length() <= Table.MAX_REASON ? reason : reason.substring(0, Table.MAX_REASON - 3) + "...";
        Sql.update(
                connection,
                "UPDATE " + table.name() + " SET set_aside = 1, taken_by = NULL, reason = ?"
                        + " WHERE taken_by = ? AND row_id = ?",
                List.of(kept, taker, id));
    }

    private static Set<Long> ids(List<Lane> lanes) {
        Set<Long> ids = new HashSet<>();
        lanes.forEach(lane -> ids.add(lane.rowId()));
        return ids;
    }

    private String now() {
        return table.dialect().now();
    }
}
