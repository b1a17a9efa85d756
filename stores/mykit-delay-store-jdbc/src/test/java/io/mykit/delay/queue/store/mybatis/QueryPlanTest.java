package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.druid.pool.DruidDataSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.SqlCommandType;
import org.apache.ibatis.session.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Asks SQLite how it runs every statement of the mappers: always by an index, never by sorting. It has no statistics of the tables
 * and goes by the schema alone, so there need not be rows. QueryPlanIT asks the servers.
 */
class QueryPlanTest {
    private static final Configuration SQLITE =
            Mappers.sessions(new DruidDataSource(), Dialect.SQLITE).getConfiguration();

    private Connection connection;

    @BeforeEach
    void tables() throws SQLException, IOException {
        connection = DriverManager.getConnection("jdbc:sqlite::memory:");
        run("V1__delay_queue.sql");
        run("V3__message_extras.sql");
        run("V4__topic_settings.sql");
        run("V5__results.sql");
        run("V6__flow_in_rows.sql");
        run("V7__topic_policies.sql");
        run("V8__audit.sql");
        run("V9__tokens.sql");
        run("V10__limits.sql");
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(Files.readString(Path.of("../../sql/optional/search.sql")));
        }
    }

    private void run(String name) throws SQLException, IOException {
        try (Statement statement = connection.createStatement();
                InputStream script = Dialect.class.getResourceAsStream("/sql-embedded/" + name)) {
            statement.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    /** Short names only: MyBatis has each statement by its full name as well. */
    static Stream<String> everyStatementThatSearches() {
        return SQLITE.getMappedStatementNames().stream()
                .filter(name -> name.contains("."))
                .filter(name -> SQLITE.getMappedStatement(name).getSqlCommandType() != SqlCommandType.INSERT)
                // SQLite makes no estimate, so its statement reads no table.
                .filter(name -> !name.endsWith("estimate"))
                .sorted();
    }

    @ParameterizedTest
    @MethodSource("everyStatementThatSearches")
    void goesByAnIndex(String name) throws SQLException {
        String sql = sql(SQLITE.getMappedStatement(name));

        List<String> plan = plan(sql);
        if (sql.endsWith(" FROM mykit_delay_queue_topic_policy")) {
            // Each node keeps all of them: they are few.
            assertThat(plan).containsExactly("SCAN mykit_delay_queue_topic_policy");
            return;
        }

        // All queue names, of which there is one; all dead letters, which are counted once a minute, or a limited
        // number of them.
        String how = sql.contains("SELECT name FROM")
                        || sql.contains("1 FROM mykit_delay_queue_dead")
                        || sql.endsWith("FROM mykit_delay_queue_dead")
                ? "SCAN "
                : "SEARCH ";
        assertThat(plan)
                .as(sql)
                .isNotEmpty()
                .allMatch(step ->
                        step.startsWith(how) && (how.equals("SEARCH ") || step.contains(" USING COVERING INDEX")));
        if (sql.contains("ORDER BY status")) {
            String end = sql.contains("<= (?, ?)") ? "(due_time,id)<(?,?))" : "due_time<?)";
            assertThat(plan).singleElement().asString().endsWith("(status=? AND (due_time,id)>(?,?) AND " + end);
        } else if (sql.contains(" id IN ") || sql.contains(" id = ")) {
            assertThat(plan).allMatch(step -> step.contains("(id=?"));
        }
    }

    private static String sql(MappedStatement statement) {
        Map<String, Object> parameters = new HashMap<>();
        parameters.put("ids", Collections.nCopies(16, ""));
        parameters.put("statuses", List.of(1));
        parameters.put("last", Map.of("id", "", "dueTimeMs", 0));
        parameters.put(
                "to",
                Map.of(
                        "roles",
                        "",
                        "description",
                        "",
                        "expiresMs",
                        0L,
                        "disabled",
                        true,
                        "pushRate",
                        0,
                        "pullRate",
                        0,
                        "maxDelayMs",
                        0L,
                        "maxBody",
                        0,
                        "maxTopics",
                        0));
        return statement.getBoundSql(parameters).getSql().strip().replaceAll("\\s+", " ");
    }

    private List<String> plan(String sql) throws SQLException {
        List<String> steps = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
            while (rows.next()) {
                String step = rows.getString("detail");
                // The rows of a count with a limit come from a step of their own.
                if (!step.endsWith(" few")) {
                    steps.add(step);
                }
            }
        }
        return steps;
    }
}
