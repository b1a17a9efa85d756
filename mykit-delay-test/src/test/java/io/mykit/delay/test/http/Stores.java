package io.mykit.delay.test.http;

import static org.awaitility.Awaitility.await;

import io.mykit.delay.test.bucket.RedisView;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.SharedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads both stores directly, without the server. The connection to the database is opened once. Thread-safe. */
final class Stores implements AutoCloseable {
    private static final int BUCKETS = 4;
    private static final String MESSAGES = "mykit_delay_queue_job";
    private static final String MOVES = "mykit_delay_queue_job_log";

    private final Connection connection;
    private final RedisView index;

    Stores(String url, String queue) {
        try {
            this.connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
        } catch (SQLException e) {
            throw new IllegalStateException(url, e);
        }
        this.index = new RedisView(List.of(SharedServers.redis()), "io.mykit.delay", queue, BUCKETS);
    }

    /** Waits until the server has claimed its new buckets, because each claim leaves marks. */
    void awaitLeader() {
        await().atMost(Duration.ofSeconds(30)).until(index::isRestored);
    }

    /** All there is, so that "nothing has changed" can be seen. */
    Footprint footprint() {
        return new Footprint(
                number("SELECT COUNT(*) FROM " + MESSAGES, 1),
                number("SELECT COUNT(*) FROM " + MOVES, 1),
                number("CHECKSUM TABLE " + MESSAGES, 2),
                number("CHECKSUM TABLE " + MOVES, 2),
                index.dump());
    }

    /** Messages in the buckets' pools. */
    int scheduled() {
        return index.keys().stream()
                .filter(key -> key.endsWith(":pool"))
                .mapToInt(key -> ((Long) index.run("HLEN", key)).intValue())
                .sum();
    }

    private synchronized long number(String sql, int column) {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(column);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close the connection", e);
        }
    }

    /** Two of them are equal if both tables and every key of the queue are. */
    record Footprint(long messages, long moves, long messagesSum, long movesSum, Map<String, String> index) {}
}
