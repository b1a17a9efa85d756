package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SchemaStateTest {
    private static final Pattern TABLE = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+) \\(");
    private static final Pattern COLUMN = Pattern.compile("  ([a-z_]+) .*COMMENT '.+'.*");
    private static final Pattern OTHER =
            Pattern.compile("(  ((PRIMARY|UNIQUE) )?KEY .*|\\) ENGINE.*COMMENT='.+';|--.*|)");

    private static final String LATER =
            "sql/V6__flow_in_rows.sql, sql/V7__topic_policies.sql, sql/V8__audit.sql, sql/V9__tokens.sql,"
                    + " sql/V10__limits.sql";

    private static final Pattern ADDED = Pattern.compile("ADD COLUMN (\\w+) [^,;]+\\s+COMMENT '[^']+'[,;]");

    @Test
    void expectsWhatTheScriptMakesAndEveryColumnIsExplained() throws IOException {
        Map<String, List<String>> tables = tables(script("/sql/V1__delay_queue.sql"));
        List<String> job = tables.get("mykit_delay_queue_job");
        String third = script("/sql/V3__message_extras.sql");
        job.addAll(added(script("/sql/V2__message_version.sql")));
        job.addAll(added(third));
        String sixth = script("/sql/V6__flow_in_rows.sql");
        job.addAll(added(sixth));
        tables.putAll(tables(third.substring(third.indexOf("CREATE"), third.indexOf("INSERT"))));
        tables.putAll(tables(script("/sql/V4__topic_settings.sql")));
        tables.putAll(tables(script("/sql/V5__results.sql")));
        tables.putAll(tables(sixth.substring(sixth.indexOf("CREATE"))));
        tables.putAll(tables(script("/sql/V7__topic_policies.sql")));
        tables.putAll(tables(script("/sql/V8__audit.sql")));
        tables.putAll(tables(script("/sql/V9__tokens.sql")));
        String tenth = script("/sql/V10__limits.sql");
        int second = tenth.lastIndexOf("ALTER TABLE");
        tables.get("mykit_delay_token").addAll(added(tenth.substring(0, second)));
        tables.get("mykit_delay_namespace").addAll(added(tenth.substring(second)));
        assertThat(tables).isEqualTo(SchemaState.EXPECTED);
    }

    @Test
    void foreignTablesAreNeverToBeDropped() {
        SchemaState state =
                new SchemaState(List.of("mykit_delay_queue_job.due_time"), Set.of("mykit_delay_queue_job"), false);
        assertThat(state.isForeign()).isTrue();
        assertThat(state.foreign())
                .contains("docs/migration-from-1.x.md", "[mykit_delay_queue_job.due_time]")
                .doesNotContainIgnoringCase("drop");
    }

    private static List<String> added(String script) {
        return ADDED.matcher(script).results().map(column -> column.group(1)).toList();
    }

    private static Map<String, List<String>> tables(String script) {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        List<String> columns = List.of();
        for (String line : script.split("\n", -1)) {
            Matcher table = TABLE.matcher(line);
            Matcher column = COLUMN.matcher(line);
            if (table.matches()) {
                columns = new ArrayList<>();
                tables.put(table.group(1), columns);
            } else if (column.matches()) {
                columns.add(column.group(1));
            } else {
                assertThat(line).matches(OTHER);
            }
        }
        return tables;
    }

    @Test
    void theScriptOfTheEmbeddedStoreMakesTheSame() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement()) {
            assertThat(SchemaState.read(connection).missing()).hasSize(11);
            statement.executeUpdate(script("/sql-embedded/V1__delay_queue.sql"));
            assertThat(SchemaState.read(connection).scripts("sql"))
                    .isEqualTo("sql/V3__message_extras.sql, sql/V4__topic_settings.sql, sql/V5__results.sql, " + LATER);
            statement.executeUpdate(script("/sql-embedded/V3__message_extras.sql"));
            assertThat(SchemaState.read(connection).scripts("sql"))
                    .isEqualTo("sql/V4__topic_settings.sql, sql/V5__results.sql, " + LATER);
            statement.executeUpdate(script("/sql-embedded/V4__topic_settings.sql"));
            assertThat(SchemaState.read(connection).scripts("sql")).isEqualTo("sql/V5__results.sql, " + LATER);
            statement.executeUpdate(script("/sql-embedded/V5__results.sql"));
            assertThat(SchemaState.read(connection).scripts("sql")).isEqualTo(LATER);
            statement.executeUpdate(script("/sql-embedded/V6__flow_in_rows.sql"));
            statement.executeUpdate(script("/sql-embedded/V7__topic_policies.sql"));
            statement.executeUpdate(script("/sql-embedded/V8__audit.sql"));
            statement.executeUpdate(script("/sql-embedded/V9__tokens.sql"));
            assertThat(SchemaState.read(connection).scripts("sql")).isEqualTo("sql/V10__limits.sql");
            statement.executeUpdate(script("/sql-embedded/V10__limits.sql"));
            assertThat(SchemaState.read(connection))
                    .isEqualTo(new SchemaState(List.of(), SchemaState.EXPECTED.keySet(), false));
        }
    }

    @Test
    void tablesOfAnotherVersionAreForeign() {
        String job = "mykit_delay_queue_job";
        assertThat(new SchemaState(List.of(job + ".due_time", "mykit_delay_queue_epoch"), Set.of(job), false)
                        .isForeign())
                .isTrue();
        assertThat(new SchemaState(List.of("mykit_delay_queue_epoch"), Set.of(job), false).isForeign())
                .isFalse();
    }

    @Test
    void tablesThatLackWhatCameLaterAreOursAndTheScriptIsNamed() {
        String job = "mykit_delay_queue_job";
        SchemaState first = new SchemaState(List.of(job + ".version"), SchemaState.EXPECTED.keySet(), false);
        assertThat(first.isForeign()).isFalse();
        assertThat(first.scripts("sql")).isEqualTo("sql/V2__message_version.sql");
        assertThat(new SchemaState(List.of(job), Set.of(), false).scripts("sql"))
                .isEqualTo("sql/V1__delay_queue.sql and the later scripts");
    }

    @Test
    void aMigrationWithoutHistoryBeginsAfterTheScriptsOfAPerson() {
        Set<String> all = SchemaState.EXPECTED.keySet();
        String job = "mykit_delay_queue_job";
        assertThat(new SchemaState(List.copyOf(all), Set.of(), false).baseline())
                .isEqualTo("0");
        assertThat(new SchemaState(List.of(job + ".version", job + ".options"), all, false).baseline())
                .isEqualTo("0");
        assertThat(new SchemaState(List.of(job + ".options", "mykit_delay_queue_dead"), all, false).baseline())
                .isEqualTo("2");
        assertThat(new SchemaState(List.of("mykit_delay_queue_dead", "mykit_delay_queue_topic"), all, false).baseline())
                .isEqualTo("2");
        assertThat(new SchemaState(List.of("mykit_delay_queue_topic"), all, false).baseline())
                .isEqualTo("3");
        assertThat(new SchemaState(List.of("mykit_delay_queue_result"), all, false).baseline())
                .isEqualTo("4");
    }

    private static String script(String resource) throws IOException {
        try (InputStream in = SchemaState.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
