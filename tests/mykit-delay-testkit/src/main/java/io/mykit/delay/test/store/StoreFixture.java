package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.Messages.T0;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.mybatis.MyBatisMessageStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** A store over an empty database, one for each test class, and direct views of its tables. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class StoreFixture {
    /** The time that the store's clock shows. */
    static final long NOW = T0 + 123_456;

    protected TestDatasource datasource;
    protected MessageStore store;

    /** An empty database. */
    protected abstract TestDatasource emptyDatabase();

    /** The same database, over a session with this time zone, such as {@code +09:00}. */
    protected abstract TestDatasource inTimeZone(TestDatasource database, String zone);

    @BeforeAll
    void openStore() {
        datasource = emptyDatabase();
        store = open(datasource);
    }

    @AfterAll
    void closeStore() {
        store.close();
    }

    @BeforeEach
    void emptyTables() {
        sql("DELETE FROM mykit_delay_queue_job");
        sql("DELETE FROM mykit_delay_queue_job_log");
        sql("DELETE FROM mykit_delay_queue_dead");
        sql("DELETE FROM mykit_delay_queue_topic");
        sql("DELETE FROM mykit_delay_queue_topic_policy");
        sql("DELETE FROM mykit_delay_audit");
        sql("DELETE FROM mykit_delay_queue_result");
        sql("DELETE FROM mykit_delay_token");
        sql("DELETE FROM mykit_delay_namespace");
        forgetQueues();
    }

    protected static MessageStore open(TestDatasource datasource) {
        return open(datasource, FlowLog.FULL);
    }

    /** Another store over the same database. */
    public MessageStore open(FlowLog level) {
        return open(datasource, level);
    }

    private static MessageStore open(TestDatasource datasource, FlowLog level) {
        return MyBatisMessageStore.open(
                datasource,
                datasource.url(),
                level,
                "node-1",
                InstantSource.fixed(Instant.ofEpochMilli(NOW)),
                new SimpleMeterRegistry());
    }

    public MessageStore store() {
        return store;
    }

    public long rows() {
        return count("mykit_delay_queue_job");
    }

    public long moves() {
        return logRows()
                + Long.parseLong(text("SELECT COALESCE(SUM((begun_by IS NOT NULL) + (taken > 0) + (ended > 0)), 0)"
                        + " FROM mykit_delay_queue_job"));
    }

    long logRows() {
        return count("mykit_delay_queue_job_log");
    }

    public long queues() {
        return count("mykit_delay_queue_epoch");
    }

    public void forgetQueues() {
        sql("DELETE FROM mykit_delay_queue_epoch");
    }

    private long count(String table) {
        return Long.parseLong(text("SELECT count(*) FROM " + table));
    }

    protected String text(String query) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(query, e);
        }
    }

    protected void sql(String update) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(update);
        } catch (SQLException e) {
            throw new IllegalStateException(update, e);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(
                datasource.url(), datasource.username().orElse(""), "");
    }
}
