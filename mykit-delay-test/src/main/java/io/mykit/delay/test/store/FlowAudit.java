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

    /** Where a message's log is not a legal path from its beginning to its status; empty if all are. */
    public List<String> violations() throws SQLException {
        List<String> violations = new ArrayList<>();
        Map<String, MessageStatus> at = new HashMap<>();
        try (Connection connection = DriverManager.getConnection(url, "root", "");
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement.executeQuery(
                    "SELECT id, from_status, status FROM mykit_delay_queue_job_log ORDER BY log_id")) {
                while (rows.next()) {
                    String id = rows.getString(1);
                    int fromCode = rows.getInt(2);
                    MessageStatus from = rows.wasNull() ? null : MessageStatus.ofCode(fromCode);
                    MessageStatus to = MessageStatus.ofCode(rows.getInt(3));
                    MessageStatus before = at.put(id, to);
                    if (from != before || (from == null ? !to.canBegin() : !from.canBecome(to))) {
                        violations.add(id + ": was " + before + ", logged " + from + " to " + to);
                    }
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT id, status FROM mykit_delay_queue_job")) {
                while (rows.next()) {
                    MessageStatus status = MessageStatus.ofCode(rows.getInt(2));
                    MessageStatus logged = at.remove(rows.getString(1));
                    if (logged != status) {
                        violations.add(rows.getString(1) + ": is " + status + ", the log ends with " + logged);
                    }
                }
            }
        }
        at.keySet().forEach(id -> violations.add(id + ": has a log and no row"));
        return violations;
    }
}
