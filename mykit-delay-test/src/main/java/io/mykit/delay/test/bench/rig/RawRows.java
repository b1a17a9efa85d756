package io.mykit.delay.test.bench.rig;

import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.test.server.MySqlServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The raw ceiling of MySQL: the rows that a message costs, by plain JDBC on one connection. Used by one thread. */
public final class RawRows implements AutoCloseable {
    private static final String JOB = """
            INSERT INTO mykit_delay_queue_job (id, bizkey, topic, subtopic, delay, create_time, due_time, body, status, ttl,
            priority, attempts, update_time) VALUES (?, '', 'accept', '', 3600000, ?, ?, ?, 1, 0, 0, 0, ?)""";

    private static final String FLOW = """
            INSERT INTO mykit_delay_queue_job_log (id, from_status, status, attempt, thread, host, detail, update_time)
            VALUES (?, ?, ?, 0, 'intake', 'raw', '', ?)""";

    private final Connection connection;
    private final PreparedStatement job;
    private final PreparedStatement flow;
    private final MessageIds ids = new MessageIds(InstantSource.system());

    /** Makes empty tables like those of the server's database. */
    public RawRows(MySqlServer mysql, String serversDatabase) {
        String url = mysql.freshDatabase("raw") + "&rewriteBatchedStatements=true&cachePrepStmts=true"
                + "&prepStmtCacheSqlLimit=8192&useLocalSessionState=true&connectionTimeZone=UTC";
        try {
            connection = DriverManager.getConnection(url, MySqlServer.USER, "");
            try (Statement statement = connection.createStatement()) {
                for (String table : List.of("mykit_delay_queue_job", "mykit_delay_queue_job_log")) {
                    statement.execute("CREATE TABLE " + table + " LIKE " + serversDatabase + "." + table);
                }
            }
            connection.setAutoCommit(false);
            job = connection.prepareStatement(JOB);
            flow = connection.prepareStatement(FLOW);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts a message's two rows, again and again; returns how many messages. */
    public long insert(int perCommit, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long messages = 0;
        while (System.nanoTime() < end) {
            insert(perCommit);
            messages += perCommit;
        }
        return messages;
    }

    /** Inserts so many in one transaction; returns their ids. */
    public List<String> insert(int perCommit) {
        try {
            LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
            long nowMs = now.toInstant(ZoneOffset.UTC).toEpochMilli();
            List<String> inserted = new ArrayList<>(perCommit);
            for (int i = 0; i < perCommit; i++) {
                String id = ids.next();
                inserted.add(id);
                job.setString(1, id);
                job.setLong(2, nowMs);
                job.setLong(3, nowMs + 3_600_000);
                job.setString(4, Requests.BODY);
                job.setObject(5, now);
                job.addBatch();
                addFlow(id, null, 1, now);
            }
            job.executeBatch();
            flow.executeBatch();
            connection.commit();
            return inserted;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The writes of a delivery: one UPDATE for all messages and two flow rows each, in one transaction. */
    public void finish(List<String> delivered) {
        String in = String.join(",", Collections.nCopies(delivered.size(), "?"));
        String sql = "UPDATE mykit_delay_queue_job SET status = 3, attempts = 0, update_time = ? WHERE id IN (" + in
                + ") AND status + 0 = 1";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
            update.setObject(1, now);
            for (int i = 0; i < delivered.size(); i++) {
                update.setString(i + 2, delivered.get(i));
                addFlow(delivered.get(i), 1, 2, now);
                addFlow(delivered.get(i), 2, 3, now);
            }
            update.executeUpdate();
            flow.executeBatch();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void addFlow(String id, Integer from, int to, LocalDateTime now) throws SQLException {
        flow.setString(1, id);
        flow.setObject(2, from);
        flow.setInt(3, to);
        flow.setObject(4, now);
        flow.addBatch();
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
