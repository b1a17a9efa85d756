package io.mykit.delay.test.store;

import io.mykit.delay.common.message.MessageStatus;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Looks at both tables from outside, as root.
 *
 * @param url of the database, JDBC
 */
public record FlowAudit(String url) {

    public static FlowAudit of(String url) {
        return new FlowAudit(url);
    }

    /** Messages for which this holds. */
    public long rows(String where) {
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM mykit_delay_queue_job WHERE " + where)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Where a message's moves are not a legal path from its beginning to its status; empty if all are. */
    public List<String> violations() throws SQLException {
        List<String> violations = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement()) {
            Map<String, List<Move>> logged = logged(statement);
            try (ResultSet rows = statement.executeQuery(
                    "SELECT id, status, CASE WHEN begun_by > 0 THEN first_status END, taken, ended FROM mykit_delay_queue_job")) {
                while (rows.next()) {
                    String id = rows.getString(1);
                    List<Move> moves = new ArrayList<>();
                    int first = rows.getInt(3);
                    if (!rows.wasNull()) {
                        moves.add(new Move(null, MessageStatus.ofCode(first)));
                    }
                    List<Move> others = logged.remove(id);
                    moves.addAll(others == null ? List.of() : others);
                    if (rows.getLong(4) > 0) {
                        moves.add(new Move(MessageStatus.DELAY, MessageStatus.READY));
                    }
                    if (rows.getLong(5) > 0) {
                        moves.add(new Move(MessageStatus.READY, MessageStatus.FINISH));
                    }
                    check(id, moves, MessageStatus.ofCode(rows.getInt(2)), violations);
                }
            }
            logged.keySet().forEach(id -> violations.add(id + ": has a log and no row"));
        }
        return violations;
    }

    /** When messages that had been delivered began again, epoch milliseconds, by id. */
    public Map<String, List<Long>> begunAgain() throws SQLException {
        Map<String, List<Long>> times = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT id, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', update_time) FROM mykit_delay_queue_job_log"
                                + " WHERE from_status = " + MessageStatus.FINISH.code() + " AND status = "
                                + MessageStatus.RESTORE.code())) {
            while (rows.next()) {
                times.computeIfAbsent(rows.getString(1), id -> new ArrayList<>())
                        .add(TimeUnit.MICROSECONDS.toMillis(rows.getLong(2)));
            }
        }
        return times;
    }

    private static Map<String, List<Move>> logged(Statement statement) throws SQLException {
        Map<String, List<Move>> logged = new HashMap<>();
        try (ResultSet rows = statement.executeQuery(
                "SELECT id, from_status, status FROM mykit_delay_queue_job_log ORDER BY log_id")) {
            while (rows.next()) {
                int from = rows.getInt(2);
                Move move = new Move(
                        rows.wasNull() ? null : MessageStatus.ofCode(from), MessageStatus.ofCode(rows.getInt(3)));
                logged.computeIfAbsent(rows.getString(1), id -> new ArrayList<>())
                        .add(move);
            }
        }
        return logged;
    }

    private static void check(String id, List<Move> moves, MessageStatus status, List<String> violations) {
        MessageStatus at = null;
        for (Move move : moves) {
            boolean legal =
                    move.from() == null ? move.to().canBegin() : move.from().canBecome(move.to());
            if (move.from() != at || !legal) {
                violations.add(id + ": was " + at + ", kept " + move.from() + " to " + move.to());
            }
            at = move.to();
        }
        if (at != status) {
            violations.add(id + ": is " + status + ", its moves end with " + at);
        }
    }

    private record Move(MessageStatus from, MessageStatus to) {}
}
