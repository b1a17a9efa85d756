package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The rows of the server's own database: counted, and made by SQL where the server would take days. Thread-safe. */
public final class StoredRows {
    private static final DateTimeFormatter DATETIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    /** The rows of one transaction. */
    private static final int CHUNK = 50_000;

    private static final int FINISH = 3;

    private final DatabaseServer server;
    private final String database;

    public StoredRows(DatabaseServer server, String database) {
        this.server = server;
        this.database = database;
    }

    /** Makes messages that were delivered this long ago, each with the times of its way. */
    public void addFinished(int count, Duration ago) {
        Instant ended = Instant.now().minus(ago);
        String time = "'" + DATETIME.format(ended) + "'";
        for (int from = 0; from < count; from += CHUNK) {
            int to = Math.min(count, from + CHUNK) - 1;
            server.execute(
                    "USE " + database,
                    "SET SESSION cte_max_recursion_depth = " + CHUNK,
                    "INSERT INTO mykit_delay_queue_job (id, topic, delay, create_time, due_time, body, status, update_time,"
                            + " first_status, begun, begun_by, taken, ended, ended_by)"
                            + " WITH RECURSIVE numbers (n) AS (SELECT " + from
                            + " UNION ALL SELECT n + 1 FROM numbers WHERE n < " + to + ") SELECT " + id("n")
                            + ", 'accept', 1000, due - 1000, due, '" + Requests.BODY + "', " + FINISH + ", " + time
                            + ", 1, due - 1000, 1, due, due, 1 FROM (SELECT n, n + " + (ended.toEpochMilli() - count)
                            + " AS due FROM numbers) AS times");
        }
    }

    /** Before every id that is generated today, as ids grow with time. */
    private static String id(String number) {
        return "CONCAT('000', LPAD(" + number + ", 17, '0'))";
    }

    /** How many there are that ended well. */
    public long finished() {
        return number("SELECT COUNT(*) FROM mykit_delay_queue_job WHERE status = " + FINISH);
    }

    /** The rows of the flow log. */
    public long flowRows() {
        return number("SELECT COUNT(*) FROM mykit_delay_queue_job_log");
    }

    /** How many wait only in the database and fall due before then, epoch milliseconds. */
    public long waitingBefore(long dueMs) {
        return number("SELECT COUNT(*) FROM mykit_delay_queue_job WHERE status = 0 AND due_time < " + dueMs);
    }

    /** Lets those wait in the database only that are due then or later, epoch milliseconds. */
    public void putBack(long fromDueMs) {
        server.execute("UPDATE " + database + ".mykit_delay_queue_job SET status = 0 WHERE status = 1 AND due_time >= "
                + fromDueMs);
    }

    /** The size of a table's file, with its indexes. */
    public long fileBytes(String table) {
        return number("SELECT FILE_SIZE FROM information_schema.INNODB_TABLESPACES WHERE NAME = '" + database + "/"
                + table + "'");
    }

    private long number(String sql) {
        try (Connection connection = DriverManager.getConnection(server.url(database), DatabaseServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
