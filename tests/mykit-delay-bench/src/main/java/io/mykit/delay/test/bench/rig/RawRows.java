package io.mykit.delay.test.bench.rig;

import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.test.server.DatabaseServer;
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
import org.HdrHistogram.Histogram;

/** The raw ceiling of the database: the rows that a message costs, by plain JDBC on one connection. Used by one thread. */
public final class RawRows implements AutoCloseable {
    private static final String JOB = """
            INSERT INTO mykit_delay_queue_job (id, bizkey, topic, subtopic, delay, create_time, due_time, body, status, ttl,
            priority, attempts, update_time, first_status, begun, begun_by)
            VALUES (?, '', 'accept', '', 3600000, ?, ?, ?, 1, 0, 0, 0, ?, 1, ?, 1)""";

    private final Connection connection;
    private final PreparedStatement job;
    private final MessageIds ids = new MessageIds(InstantSource.system());

    /** Makes an empty table like that of the server's database. */
    public RawRows(DatabaseServer server, String serversDatabase) {
        String url = server.freshDatabase("raw") + "&rewriteBatchedStatements=true&cachePrepStmts=true"
                + "&prepStmtCacheSqlLimit=8192&useLocalSessionState=true&connectionTimeZone=UTC";
        try {
            connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
            try (Statement statement = connection.createStatement()) {
                String table = "mykit_delay_queue_job";
                statement.execute("CREATE TABLE " + table + " LIKE " + serversDatabase + "." + table);
            }
            connection.setAutoCommit(false);
            job = connection.prepareStatement(JOB);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Inserts messages, again and again. The times are those of the transactions. */
    public Load insert(int perCommit, Duration time) {
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        Histogram micros = new Histogram(2);
        long messages = 0;
        for (long now = begin; now < end; ) {
            insert(perCommit);
            messages += perCommit;
            long done = System.nanoTime();
            micros.recordValue((done - now) / 1_000);
            now = done;
        }
        return new Load(messages, 0, (System.nanoTime() - begin) / 1e9, micros);
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
                job.setLong(6, nowMs);
                job.addBatch();
            }
            job.executeBatch();
            connection.commit();
            return inserted;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The writes of a delivery: one UPDATE for all messages, in one transaction. */
    public void finish(List<String> delivered) {
        String in = String.join(",", Collections.nCopies(delivered.size(), "?"));
        String sql = "UPDATE mykit_delay_queue_job SET status = 3, attempts = 0, update_time = ?, taken = ?, ended = ?,"
                + " ended_by = 1 WHERE id IN (" + in + ") AND status + 0 = 1";
        try (PreparedStatement update = connection.prepareStatement(sql)) {
            LocalDateTime now = LocalDateTime.now(ZoneOffset.UTC);
            long nowMs = now.toInstant(ZoneOffset.UTC).toEpochMilli();
            update.setObject(1, now);
            update.setLong(2, nowMs);
            update.setLong(3, nowMs);
            for (int i = 0; i < delivered.size(); i++) {
                update.setString(i + 4, delivered.get(i));
            }
            update.executeUpdate();
            connection.commit();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
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
