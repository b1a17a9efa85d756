package io.mykit.delay.test.bench.rig;

import io.mykit.delay.test.server.DatabaseServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The raw ceiling of recovery: the rows of the server's own database, read by plain JDBC on one connection and put into
 * Redis by plain commands, a page at a time, one after the other. Used by one thread.
 */
public final class RawRecovery implements AutoCloseable {
    /** As the server does unless told otherwise. */
    private static final int PAGE = 1_000;

    private static final int WAIT_PUT = 0;
    private static final int DELAY = 1;

    private static final String READ = """
            SELECT id, bizkey, topic, subtopic, delay, create_time, due_time, body, status, ttl, priority, attempts,
            update_time FROM mykit_delay_queue_job WHERE status = ? AND due_time >= ? AND (due_time > ? OR id > ?)
            ORDER BY status, due_time, id LIMIT ?""";

    private static final String CLAIM = "UPDATE mykit_delay_queue_job SET status = " + DELAY
            + ", attempts = 0, update_time = ? WHERE status + 0 = " + WAIT_PUT + " AND id IN ("
            + String.join(",", Collections.nCopies(PAGE, "?")) + ")";

    private static final String FLOW = """
            INSERT INTO mykit_delay_queue_job_log (id, from_status, status, attempt, thread, host, detail, update_time)
            VALUES (?, 0, 1, 0, 'loader', 'raw', 'loaded', ?)""";

    private final Connection connection;
    private final RawIndex index;
    private long dueMs;
    private String id = "";

    /** @param fromDueMs messages that are due before it are left alone, epoch milliseconds */
    public RawRecovery(DatabaseServer server, String database, RawIndex index, long fromDueMs) {
        this.index = index;
        this.dueMs = fromDueMs;
        String url = server.url(database) + "&rewriteBatchedStatements=true&cachePrepStmts=true"
                + "&prepStmtCacheSqlLimit=8192&useLocalSessionState=true&connectionTimeZone=UTC";
        try {
            connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Copies up to so many, the most urgent first, and goes on there the next time; returns how many. */
    public long restore(long atMost) {
        return each(DELAY, atMost, false);
    }

    /** The same for messages that wait in the database only; before it, each gets its status and the flow row of that step. */
    public long load(long atMost) {
        return each(WAIT_PUT, atMost, true);
    }

    private long each(int status, long atMost, boolean claiming) {
        long copied = 0;
        try {
            List<RawIndex.Entry> page;
            do {
                page = read(status);
                if (claiming && page.size() == PAGE) {
                    claim(page);
                }
                connection.commit();
                index.add(page);
                copied += page.size();
            } while (page.size() == PAGE && copied < atMost);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return copied;
    }

    private List<RawIndex.Entry> read(int status) throws SQLException {
        List<RawIndex.Entry> page = new ArrayList<>(PAGE);
        try (PreparedStatement select = connection.prepareStatement(READ)) {
            select.setInt(1, status);
            select.setLong(2, dueMs);
            select.setLong(3, dueMs);
            select.setString(4, id);
            select.setInt(5, PAGE);
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    id = rows.getString(1);
                    dueMs = rows.getLong(7);
                    page.add(new RawIndex.Entry(id, dueMs, value(rows)));
                }
            }
        }
        return page;
    }

    /** Reads all columns, as the server does; small ones stay out of the value as in {@link RawIndex}. */
    private static String value(ResultSet rows) throws SQLException {
        long numbers = rows.getLong(5)
                + rows.getLong(6)
                + rows.getInt(9)
                + rows.getInt(10)
                + rows.getInt(11)
                + rows.getInt(12)
                + rows.getObject(13, LocalDateTime.class).toEpochSecond(ZoneOffset.UTC);
        String texts = rows.getString(2) + rows.getString(3) + rows.getString(4);
        return rows.getString(8) + texts + ":" + Long.toString(numbers, Character.MAX_RADIX);
    }

    private void claim(List<RawIndex.Entry> page) throws SQLException {
        LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
        try (PreparedStatement update = connection.prepareStatement(CLAIM);
                PreparedStatement flow = connection.prepareStatement(FLOW)) {
            update.setObject(1, now);
            for (int i = 0; i < page.size(); i++) {
                String claimed = page.get(i).id();
                update.setString(i + 2, claimed);
                flow.setString(1, claimed);
                flow.setObject(2, now);
                flow.addBatch();
            }
            update.executeUpdate();
            flow.executeBatch();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
