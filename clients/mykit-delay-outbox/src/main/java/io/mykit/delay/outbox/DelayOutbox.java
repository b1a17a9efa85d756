package io.mykit.delay.outbox;

import io.mykit.delay.client.DelayClient;
import io.mykit.delay.client.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/**
 * Writes calls to mykit-delay as rows of a table, by the connection of the application and in its transaction. So a call
 * commits and rolls back with the application's own rows. An {@link OutboxRelay} makes the calls. Thread-safe.
 *
 * <pre>{@code
 * DelayOutbox outbox = DelayOutbox.open(dataSource);
 * OutboxRelay relay = outbox.relay(client).start();
 *
 * outbox.push(connection, Message.builder("orders").body("order 4711").delay(Duration.ofMinutes(30)).build());
 * connection.commit();
 * }</pre>
 *
 * <p>A delay counts from the call, by the clock of the database. The calls on one id are made in the order of their rows, and so
 * are the calls on a business key and the pushes with this key. The server checks the values when it gets them; a call that
 * it refuses is set aside.
 *
 * <p>All methods throw the {@code SQLException} of the database. Those that write a call throw an {@code IllegalStateException} if the
 * connection is in auto-commit: then the call would not belong to a transaction.
 */
public final class DelayOutbox {
    private final DataSource database;
    private final Table table;

    DelayOutbox(DataSource database, Table table) {
        this.database = database;
        this.table = table;
    }

    /** The outbox in the table {@code mykit_delay_outbox}. */
    public static DelayOutbox open(DataSource database) throws SQLException {
        return open(database, Table.DEFAULT_NAME);
    }

    /**
     * The outbox in a table of this name.
     *
     * @param database that of the application. The relay takes connections from it
     * @param table letters, digits and underscores, perhaps with a schema and a dot before it
     * @throws IllegalArgumentException if it is no such name
     * @throws IllegalStateException if the database is not known, or the table is missing or that of another version. The message
     *     names the script that makes it
     */
    public static DelayOutbox open(DataSource database, String table) throws SQLException {
        String name = Table.checkedName(table);
        try (Connection connection = database.getConnection()) {
            Table checked = new Table(name, Dialect.of(connection));
            checked.check(connection);
            return new DelayOutbox(database, checked);
        }
    }

    /**
     * The statements that make the table, for tests and for applications without scripts of their own.
     *
     * @param database {@code mysql} (MariaDB too), {@code postgresql} or {@code h2}
     * @param table its name, see {@link #open(DataSource, String)}
     * @throws IllegalArgumentException if one of them is not possible
     */
    public static List<String> ddl(String database, String table) {
        return Script.of(database).statements(Table.checkedName(table));
    }

    /** A push. The message has its id already, so a repeated push of the relay is a retry. */
    public void push(Connection connection, Message message) throws SQLException {
        table.insert(connection, NewCall.push(message));
    }

    /** A cancel. The {@link OutboxListener} is told what it found. */
    public void cancel(Connection connection, String id) throws SQLException {
        table.insert(connection, NewCall.of(Operation.CANCEL, id));
    }

    /**
     * A reschedule. The {@link OutboxListener} is told what it found.
     *
     * @param delay counts from this call
     */
    public void reschedule(Connection connection, String id, Duration delay) throws SQLException {
        table.insertDueAfter(connection, NewCall.of(Operation.RESCHEDULE, id), checked(delay));
    }

    /** The same, to this time. A time in the past means now. */
    public void reschedule(Connection connection, String id, Instant dueTime) throws SQLException {
        table.insertDueAt(connection, NewCall.of(Operation.RESCHEDULE, id), dueTime.toEpochMilli());
    }

    /** Cancels all unfinished messages of a topic that have this business key. */
    public void cancelOfKey(Connection connection, String topic, String bizKey) throws SQLException {
        table.insert(connection, NewCall.ofKey(Operation.CANCEL_OF_KEY, topic, bizKey));
    }

    /**
     * Moves all unfinished messages of a topic that have this business key.
     *
     * @param delay counts from this call
     */
    public void rescheduleOfKey(Connection connection, String topic, String bizKey, Duration delay)
            throws SQLException {
        table.insertDueAfter(connection, NewCall.ofKey(Operation.RESCHEDULE_OF_KEY, topic, bizKey), checked(delay));
    }

    /** The same, to this time. A time in the past means now. */
    public void rescheduleOfKey(Connection connection, String topic, String bizKey, Instant dueTime)
            throws SQLException {
        table.insertDueAt(
                connection, NewCall.ofKey(Operation.RESCHEDULE_OF_KEY, topic, bizKey), dueTime.toEpochMilli());
    }

    /** A relay, which is still to be started. Each instance of the application may have one. */
    public OutboxRelay.Builder relay(DelayClient client) {
        return new OutboxRelay.Builder(database, table, client);
    }

    /** Counts the rows. With very many of them this takes as long as a walk over an index. */
    public OutboxState state() throws SQLException {
        try (Connection connection = database.getConnection()) {
            return table.state(connection);
        }
    }

    /** The refused calls, the oldest first. */
    public List<SetAside> setAside(int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return table.setAside(connection, limit);
        }
    }

    /**
     * Lets a refused call be made again, now. Returns whether there was such a row.
     *
     * <p>Later calls on the same id or business key did not wait for it and may have been made: an old reschedule that is put back
     * undoes a newer one, and an old cancel ends a message that was pushed after it. {@link #discard} such a row.
     */
    public boolean putBack(long rowId) throws SQLException {
        return write(connection -> table.putBack(connection, " AND row_id = ?", List.of(rowId))) > 0;
    }

    /**
     * Lets all refused calls be made again, now, and returns their number. They are in order among themselves, but may come after
     * newer calls, see {@link #putBack}.
     */
    public int putBackAll() throws SQLException {
        return write(connection -> table.putBack(connection, "", List.of()));
    }

    /** Deletes a refused call: it is never made. Returns whether there was such a row. */
    public boolean discard(long rowId) throws SQLException {
        return write(connection -> table.discard(connection, rowId)) > 0;
    }

    private int write(Transactions.Work<Integer> work) throws SQLException {
        return Transactions.run(database, work);
    }

    private static Duration checked(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is negative: " + delay);
        }
        return delay;
    }
}
