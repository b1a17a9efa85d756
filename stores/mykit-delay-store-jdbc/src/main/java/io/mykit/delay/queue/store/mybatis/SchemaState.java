package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The tables and columns that exist.
 *
 * @param missing missing tables and columns, in words; empty = nothing is missing
 * @param tables the names of those of the expected tables that exist, complete or not
 * @param hasHistory true if the table of the migrations exists
 */
record SchemaState(List<String> missing, Set<String> tables, boolean hasHistory) {
    static final String HISTORY = "mykit_delay_schema_history";

    /** The tables and columns of sql/. A test compares them. */
    static final Map<String, List<String>> EXPECTED = expected();

    private static final String V2 = "V2__message_version.sql";
    private static final String V3 = "V3__message_extras.sql";
    private static final String V4 = "V4__topic_settings.sql";
    private static final String V5 = "V5__results.sql";
    private static final String V6 = "V6__flow_in_rows.sql";
    private static final String V7 = "V7__topic_policies.sql";
    private static final String V8 = "V8__audit.sql";
    private static final String V9 = "V9__tokens.sql";
    private static final String V10 = "V10__limits.sql";

    /** The columns and tables that later scripts added, and the names of these scripts. */
    private static final Map<String, String> ADDED = Map.ofEntries(
            Map.entry("mykit_delay_queue_job.version", V2),
            Map.entry("mykit_delay_queue_job.encoding", V3),
            Map.entry("mykit_delay_queue_job.options", V3),
            Map.entry("mykit_delay_queue_job.first_due", V3),
            Map.entry("mykit_delay_queue_dead", V3),
            Map.entry("mykit_delay_queue_topic", V4),
            Map.entry("mykit_delay_queue_result", V5),
            Map.entry("mykit_delay_queue_job.first_status", V6),
            Map.entry("mykit_delay_queue_job.begun", V6),
            Map.entry("mykit_delay_queue_job.begun_by", V6),
            Map.entry("mykit_delay_queue_job.taken", V6),
            Map.entry("mykit_delay_queue_job.ended", V6),
            Map.entry("mykit_delay_queue_job.ended_by", V6),
            Map.entry("mykit_delay_queue_author", V6),
            Map.entry("mykit_delay_queue_topic_policy", V7),
            Map.entry("mykit_delay_audit", V8),
            Map.entry("mykit_delay_token", V9),
            Map.entry("mykit_delay_namespace", V9),
            Map.entry("mykit_delay_token.push_rate", V10),
            Map.entry("mykit_delay_token.pull_rate", V10),
            Map.entry("mykit_delay_namespace.push_rate", V10),
            Map.entry("mykit_delay_namespace.pull_rate", V10),
            Map.entry("mykit_delay_namespace.max_delay", V10),
            Map.entry("mykit_delay_namespace.max_body", V10),
            Map.entry("mykit_delay_namespace.max_topics", V10));

    private static Map<String, List<String>> expected() {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        tables.put(
                "mykit_delay_queue_job",
                List.of(
                        "id",
                        "bizkey",
                        "topic",
                        "subtopic",
                        "delay",
                        "create_time",
                        "due_time",
                        "body",
                        "status",
                        "ttl",
                        "priority",
                        "attempts",
                        "update_time",
                        "version",
                        "encoding",
                        "options",
                        "first_due",
                        "first_status",
                        "begun",
                        "begun_by",
                        "taken",
                        "ended",
                        "ended_by"));
        tables.put(
                "mykit_delay_queue_job_log",
                List.of("log_id", "id", "from_status", "status", "attempt", "thread", "host", "detail", "update_time"));
        tables.put("mykit_delay_queue_epoch", List.of("name", "epoch", "update_time"));
        tables.put("mykit_delay_queue_dead", List.of("id", "topic", "reason", "detail", "attempts", "dead_time"));
        tables.put("mykit_delay_queue_topic", List.of("topic", "paused_until", "update_time"));
        tables.put("mykit_delay_queue_result", List.of("id", "encoding", "result", "update_time"));
        tables.put("mykit_delay_queue_author", List.of("author", "host", "thread"));
        tables.put("mykit_delay_queue_topic_policy", List.of("topic", "name", "value", "update_time"));
        tables.put(
                "mykit_delay_audit", List.of("id", "at", "actor", "address", "action", "object", "detail", "outcome"));
        tables.putAll(ofTeams());
        return tables;
    }

    private static Map<String, List<String>> ofTeams() {
        Map<String, List<String>> tables = new LinkedHashMap<>();
        tables.put(
                "mykit_delay_token",
                List.of(
                        "hash",
                        "token_id",
                        "namespace",
                        "roles",
                        "description",
                        "created_at",
                        "created_by",
                        "expires_at",
                        "disabled",
                        "last_used",
                        "push_rate",
                        "pull_rate"));
        tables.put(
                "mykit_delay_namespace",
                List.of(
                        "name",
                        "description",
                        "created_at",
                        "created_by",
                        "push_rate",
                        "pull_rate",
                        "max_delay",
                        "max_body",
                        "max_topics"));
        return tables;
    }

    /**
     * True if a table has an expected name and was not made by this server: it lacks columns that were there from the
     * first version on.
     */
    boolean isForeign() {
        return missing.stream().filter(column -> !ADDED.containsKey(column)).anyMatch(column -> tables.stream()
                .anyMatch(table -> column.startsWith(table + ".")));
    }

    /** What an operator does about foreign tables; continues a sentence. Nothing advises to drop them: those of 1.x hold messages. */
    String foreign() {
        return "tables of another version of mykit-delay, nothing was changed. Tables of 1.x hold its unfinished"
                + " messages; docs/migration-from-1.x.md carries them over. Otherwise use another database. Missing tables"
                + " and columns: " + missing;
    }

    /** The scripts that create the missing tables and columns, for messages to people. */
    String scripts(String directory) {
        if (ADDED.keySet().containsAll(missing)) {
            return missing.stream()
                    .flatMap(SchemaState::completed)
                    .distinct()
                    .sorted(Comparator.comparingInt(SchemaState::number))
                    .map(script -> directory + "/" + script)
                    .collect(Collectors.joining(", "));
        }
        return directory + "/V1__delay_queue.sql and the later scripts";
    }

    /** True if all tables exist and no migration created them: a person ran the scripts. */
    boolean isHandmade() {
        return missing.isEmpty() && !hasHistory;
    }

    /**
     * The number of the last script that a person ran, for a migration that finds no history. Later scripts add columns, and
     * a script that adds a column cannot run twice.
     */
    String baseline() {
        int first = missing.stream().mapToInt(SchemaState::script).min().orElse(1);
        // V1 creates tables that do not exist only, so it may run before V2.
        return first <= 2 ? "0" : Integer.toString(first - 1);
    }

    /** The scripts that add a column; or a table, and then its further columns. */
    private static Stream<String> completed(String name) {
        return ADDED.entrySet().stream()
                .filter(added -> added.getKey().equals(name) || added.getKey().startsWith(name + "."))
                .map(Map.Entry::getValue);
    }

    /** The number of the script that adds a column or a table. */
    private static int script(String name) {
        String script = ADDED.get(name);
        return script == null ? 1 : number(script);
    }

    private static int number(String script) {
        return Integer.parseInt(script.substring(1, script.indexOf('_')));
    }

    static SchemaState read(Connection connection) throws SQLException {
        Map<String, Set<String>> found = columns(connection);
        // The migration creates the history before the tables. The history is read after the tables, so it cannot be
        // missing while another node migrates.
        boolean hasHistory = columns(connection).containsKey(HISTORY);
        Set<String> missing = new TreeSet<>();
        EXPECTED.forEach((table, columns) -> {
            Set<String> there = found.get(table);
            if (there == null) {
                missing.add(table);
            } else {
                columns.stream().filter(c -> !there.contains(c)).forEach(c -> missing.add(table + "." + c));
            }
        });
        Set<String> tables = new HashSet<>(found.keySet());
        tables.retainAll(EXPECTED.keySet());
        return new SchemaState(List.copyOf(missing), tables, hasHistory);
    }

    private static Map<String, Set<String>> columns(Connection connection) throws SQLException {
        DatabaseMetaData metaData = connection.getMetaData();
        Map<String, Set<String>> columns = new HashMap<>();
        try (ResultSet rows =
                metaData.getColumns(connection.getCatalog(), connection.getSchema(), "mykit_delay_%", "%")) {
            while (rows.next()) {
                String table = rows.getString("TABLE_NAME").toLowerCase(Locale.ROOT);
                String column = rows.getString("COLUMN_NAME").toLowerCase(Locale.ROOT);
                columns.computeIfAbsent(table, t -> new HashSet<>()).add(column);
            }
        }
        return columns;
    }
}
