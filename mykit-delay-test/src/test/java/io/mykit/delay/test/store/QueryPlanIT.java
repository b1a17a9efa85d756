package io.mykit.delay.test.store;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FINISH;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static io.mykit.delay.common.message.MessageStatus.RESTORE;
import static io.mykit.delay.test.store.Messages.T0;
import static io.mykit.delay.test.store.Messages.fresh;
import static io.mykit.delay.test.store.Messages.message;
import static io.mykit.delay.test.store.Messages.move;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.test.server.DatabaseServer;
import io.mykit.delay.test.server.SharedServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Asks MySQL and MariaDB how they run every statement that the store makes: always by an index, never by sorting. */
@Tag("long")
class QueryPlanIT {
    @Test
    void mysqlGoesByAnIndex() throws SQLException {
        everyStatementGoesByAnIndex(SharedServers.mysql());
    }

    @Test
    void mariadbGoesByAnIndex() throws SQLException {
        everyStatementGoesByAnIndex(SharedServers.mariadb());
    }

    private static void everyStatementGoesByAnIndex(DatabaseServer server) throws SQLException {
        String url = server.freshDatabase("plans");
        List<String> statements;
        try (MessageStore store = StoreFixture.open(TestDatasource.of(url, DatabaseServer.USER))) {
            // Nearly all in one status: the status index is at its least selective. Half of them due at the same time.
            List<NewMessage> rows = IntStream.range(0, 10_000)
                    .mapToObj(i -> fresh(message(String.format("p%05d", i), T0 + Math.min(i, 5000))))
                    .toList();
            store.insert(rows);
            for (String index : SearchScript.statements()) {
                server.execute("USE plans", index);
            }
            server.execute(
                    "INSERT INTO plans.mykit_delay_queue_job_log (id, from_status, status, update_time)"
                            + " SELECT id, 1, 1, update_time FROM plans.mykit_delay_queue_job",
                    "INSERT INTO plans.mykit_delay_queue_result"
                            + " SELECT id, 0, 'result', update_time FROM plans.mykit_delay_queue_job",
                    "INSERT INTO plans.mykit_delay_queue_dead"
                            + " SELECT id, CONCAT('t', CRC32(id) % 10), 'ATTEMPTS', 'no', 1, due_time"
                            + " FROM plans.mykit_delay_queue_job",
                    "ANALYZE TABLE plans.mykit_delay_queue_job, plans.mykit_delay_queue_job_log,"
                            + " plans.mykit_delay_queue_result, plans.mykit_delay_queue_dead");
            store.nextEpoch("q", 1);

            server.execute("SET GLOBAL log_output='TABLE'", "TRUNCATE mysql.general_log", "SET GLOBAL general_log=ON");
            try {
                useAll(store);
            } finally {
                server.execute("SET GLOBAL general_log=OFF");
            }
            statements = logged(url);
        }

        assertThat(statements).hasSizeGreaterThanOrEqualTo(20);
        for (String sql : statements) {
            assertThat(plan(url, sql)).as(sql).allSatisfy(step -> {
                assertThat(step.key()).isNotNull();
                if (sql.contains("WHERE status IN (")) {
                    // The unfinished rows, which are nearly all. At most 20,000: one statement counts them, and then
                    // the other reads them.
                    assertThat(step.key()).isEqualTo("idx_mykit_delay_job_status_due");
                    return;
                }
                assertThat(step.type()).isNotIn("ALL", "index");
                assertThat(step.extra()).doesNotContain("filesort").doesNotContain("temporary");
                if (sql.contains("WHERE topic >= ")) {
                    // The estimate is the whole range, which is in the order of the page: its limit ends the walk.
                    assertThat(rowsRead(url, sql)).isLessThan(110);
                } else {
                    assertThat(step.rows()).isLessThan(4000);
                }
                if (sql.contains("WHERE bizkey = ")) {
                    assertThat(step.key()).isEqualTo("idx_mykit_delay_job_bizkey");
                } else if (sql.contains("ORDER BY topic, due_time")) {
                    assertThat(step.key()).isEqualTo("idx_mykit_delay_job_topic_due");
                } else if (sql.contains("ORDER BY bizkey")) {
                    assertThat(step.key()).isEqualTo("idx_mykit_delay_job_bizkey");
                } else if (sql.contains("ORDER BY status")) {
                    assertThat(step.key()).isEqualTo("idx_mykit_delay_job_status_due");
                } else if (sql.contains("LEFT JOIN")) {
                    assertThat(step.key()).isIn("PRIMARY", "idx_mykit_delay_job_log_id");
                } else if (sql.contains("mykit_delay_queue_job ")) {
                    assertThat(step.key()).isEqualTo("PRIMARY");
                }
            });
        }
    }

    private static void useAll(MessageStore store) {
        List<String> ids = IntStream.range(0, 300)
                .mapToObj(i -> String.format("p%05d", i * 7))
                .toList();
        search(store.search(), ids);
        store.find("p00001");
        store.states(ids);
        store.flow("p00001");
        store.page(DELAY, new RowCursor(T0 + 4000, "p04000"), T0 + 4800, 100, 1 << 20);
        store.find(ids, 1 << 20, part -> {});
        store.pageStates(DELAY, new RowCursor(T0 + 5000, "p09000"), Long.MAX_VALUE, 100);
        store.move(ids.stream().map(id -> move(id, DELAY, READY)).toList());
        // Rolled back, and tried again with locks.
        store.move(ids.stream().map(id -> move(id, DELAY, READY)).toList());
        store.move(List.of(move(ids.get(250), READY, FINISH)));
        store.flow(ids.get(250));
        store.move(List.of(move(ids.get(250), FINISH, RESTORE, DELAY)));
        store.rewrite(message("p00001", T0).asVersion(1), move("p00001", DELAY, DELAY));
        store.pageEnded(FINISH, new RowCursor(T0 + 400, "p00400"), T0 + 4800, 100);
        store.pageEnded(FINISH, RowCursor.START, Long.MAX_VALUE, 100);
        store.move(List.of(move(ids.get(200), READY, FINISH)));
        assertThat(store.result(ids.get(200))).isPresent();
        List<String> some = ids.subList(0, 100);
        store.move(some.stream().map(id -> move(id, READY, FINISH)).toList());
        assertThat(store.remove(FINISH, StoreFixture.NOW + 1, some)).isEqualTo(100);
        store.nextEpoch("q", 1);
    }

    private static void search(SearchStore search, List<String> ids) {
        DueWindow window = new DueWindow(T0 + 4000, T0 + 4800);
        assertThat(search.byId("p0000", "p00001", 100)).hasSize(8);
        assertThat(search.byDue(DELAY, window, RowCursor.START, 100)).hasSize(100);
        assertThat(search.byTopic("orders", window, new RowCursor(T0 + 4100, "p04100"), 100))
                .hasSize(100);
        assertThat(search.byTopicPrefix("ord", "", RowCursor.START, 100)).hasSize(100);
        assertThat(search.byTopicPrefix("ord", "orders", new RowCursor(T0 + 5000, "p09990"), 100))
                .hasSize(9);
        assertThat(search.byBizKey("biz-p00007", "", 100)).hasSize(1);
        for (boolean byKey : List.of(true, false)) {
            assertThat(search.unfinishedOf("orders", "biz-p00007", byKey, 20_000, 100)
                            .orElseThrow())
                    .hasSize(1);
        }
        assertThat(search.details(ids)).hasSize(300);
        assertThat(search.keys(DELAY, new RowCursor(T0 + 5000, "p09000"), 100)).hasSize(100);
        assertThat(search.ofTopic("orders", DELAY, new RowCursor(T0 + 4100, "p04100"), T0 + 4800, 100)
                        .rows())
                .hasSize(100);
        assertThat(search.ofTopic("orders", "p09800", Long.MAX_VALUE, 100).rows())
                .hasSize(100);
        assertThat(search.ofTopic("orders", new RowCursor(T0 + 5000, "p09800"), 100))
                .hasSize(100);
        assertThat(search.newestDead("t1", 100)).hasSize(100);
        assertThat(search.estimate(Set.of(DELAY, FINISH), window).orElse(0)).isBetween(400L, 1600L);
    }

    private static List<String> logged(String url) throws SQLException {
        String query = "SELECT CONVERT(argument USING utf8mb4) FROM mysql.general_log WHERE command_type = 'Query'";
        List<String> statements = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                String sql = rows.getString(1).strip().replaceAll("\\s+", " ").replaceFirst("^/\\*M!.*?\\*/ ", "");
                if (sql.matches("(SELECT|UPDATE|DELETE) .*mykit_delay_queue_.*") && !statements.contains(sql)) {
                    statements.add(sql);
                }
            }
        }
        return statements;
    }

    private record Step(String type, String key, long rows, String extra) {}

    /** The rows and index entries that the server reads for a statement. */
    private static long rowsRead(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = connection.createStatement()) {
            statement.execute("FLUSH STATUS");
            statement.executeQuery(sql).close();
            long read = 0;
            try (ResultSet counters = statement.executeQuery("SHOW SESSION STATUS LIKE 'Handler_read%'")) {
                while (counters.next()) {
                    read += counters.getLong(2);
                }
            }
            return read;
        }
    }

    private static List<Step> plan(String url, String sql) throws SQLException {
        List<Step> steps = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url, DatabaseServer.USER, "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN " + sql)) {
            while (rows.next()) {
                String extra = rows.getString("Extra");
                steps.add(new Step(
                        rows.getString("type"),
                        rows.getString("key"),
                        rows.getLong("rows"),
                        extra == null ? "" : extra));
            }
        }
        return steps;
    }
}
