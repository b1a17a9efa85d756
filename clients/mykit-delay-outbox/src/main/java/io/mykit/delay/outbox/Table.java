package io.mykit.delay.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The table of an outbox, for those who write calls and for operators. Each statement runs in the transaction of its
 * connection. Immutable.
 */
record Table(String name, Dialect dialect) {
    static final String DEFAULT_NAME = "mykit_delay_outbox";
    static final int MAX_REASON = 500;
    static final String LANE = "row_id, operation, message_id, topic, biz_key";
    private static final String COLUMNS =
            LANE + ", content, content_length, due_at, created_at, not_before, taken_by, tries, set_aside, reason";
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}(\\.[A-Za-z_][A-Za-z0-9_]{0,62}){0,2}");

    /** @throws IllegalArgumentException if it is no name of a table, perhaps with that of its schema */
    static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "the name of the table has to be letters, digits and _, at most 63, perhaps"
                            + " with the name of the schema and a dot before it: " + name);
        }
        return name;
    }

    /** @throws IllegalStateException if the table is missing, or lacks a column; it names the script */
    void check(Connection connection) {
        String script = " by the script " + dialect.file() + " in the jar of mykit-delay-outbox";
        try {
            Sql.query(connection, "SELECT 1 FROM " + name + " WHERE 1 = 0", List.of(), row -> row);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "the outbox cannot read its table " + name + "; if it is missing, make it" + script + ": "
                            + e.getMessage(),
                    e);
        }
        try {
            Sql.query(connection, "SELECT " + COLUMNS + " FROM " + name + " WHERE 1 = 0", List.of(), row -> row);
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "the table " + name + " is not that of this version of the outbox; change it" + script + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** Writes a call that has no time of its own. */
    void insert(Connection connection, NewCall call) throws SQLException {
        insert(connection, call, "NULL", List.of());
    }

    void insertDueAt(Connection connection, NewCall call, long dueAtMs) throws SQLException {
        insert(connection, call, "?", List.of(dueAtMs));
    }

    /** The delay counts from this call, by the clock of the database. */
    void insertDueAfter(Connection connection, NewCall call, Duration delay) throws SQLException {
        insert(connection, call, dialect.now() + " + ?", List.of(delay.toMillis()));
    }

    private void insert(Connection connection, NewCall call, String dueAt, List<Long> due) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalStateException("a call of the outbox belongs to a transaction, and this connection is in"
                    + " auto-commit: setAutoCommit(false) before the first statement, commit() after the last one");
        }
        int written = Sql.update(
                connection,
                "INSERT INTO " + name
                        + " (operation, message_id, topic, biz_key, content, content_length, due_at, created_at)"
                        + " VALUES (?, ?, ?, ?, ?, ?, " + dueAt + ", " + dialect.now() + ")",
                call.values(due));
        if (written != 1) {
            throw new SQLException("the outbox wrote " + written + " rows in place of one");
        }
    }

    OutboxState state(Connection connection) throws SQLException {
        String count = "SELECT COUNT(*) FROM " + name + " WHERE set_aside = ?";
        long rows =
                Sql.query(connection, count, List.of(0), row -> row.getLong(1)).get(0);
        long aside =
                Sql.query(connection, count, List.of(1), row -> row.getLong(1)).get(0);
        Duration oldest = Sql.query(
                        connection,
                        "SELECT " + dialect.now() + " - created_at FROM " + name
                                + " WHERE set_aside = 0 ORDER BY row_id LIMIT 1",
                        List.of(),
                        row -> row.getLong(1))
                .stream()
                .findFirst()
                .map(ageMs -> Duration.ofMillis(Math.max(0, ageMs)))
                .orElse(Duration.ZERO);
        return new OutboxState(rows, oldest, aside);
    }

    List<SetAside> setAside(Connection connection, int limit) throws SQLException {
        return Sql.query(
                connection,
                "SELECT row_id, operation, message_id, topic, biz_key, reason, created_at FROM " + name
                        + " WHERE set_aside = 1 ORDER BY row_id LIMIT ?",
                List.of(limit),
                row -> new SetAside(
                        row.getLong(1),
                        row.getString(2),
                        orEmpty(row.getString(3)),
                        orEmpty(row.getString(4)),
                        orEmpty(row.getString(5)),
                        orEmpty(row.getString(6)),
                        Instant.ofEpochMilli(row.getLong(7))));
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    /** An earlier try of the rows changed nothing. They keep their numbers, but later rows of the same id may be gone already. */
    int putBack(Connection connection, String condition, List<?> values) throws SQLException {
        return Sql.update(
                connection,
                "UPDATE " + name + " SET set_aside = 0, reason = NULL, not_before = 0, tries = 0 WHERE set_aside = 1"
                        + condition,
                values);
    }

    int discard(Connection connection, long rowId) throws SQLException {
        return Sql.update(connection, "DELETE FROM " + name + " WHERE set_aside = 1 AND row_id = ?", List.of(rowId));
    }
}
