package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.apache.ibatis.session.Configuration;

/**
 * The statements on {@code mykit_delay_queue_job} that run for every message, and those on many rows. Their SQL is in
 * JobMapper.xml. This class binds parameters and reads results without MyBatis, see {@link RowInsert}. Lists of ids
 * are distinct. Thread-safe.
 */
final class JobStatements {
    private final RowInsert<NewJob> insert;
    private final RowInsert<NewJob> insertPlain;
    private final SizedSql states;
    private final SizedSql move;
    private final SizedSql retry;
    private final SizedSql reschedule;
    private final SizedSql parts;
    private final PageSql page;
    private final PageSql pageStates;
    private final PageSql pageEnded;
    private final SizedSql lock;
    private final SizedSql lockEnded;
    private final SizedSql remove;

    JobStatements(Configuration configuration) {
        this.insert = insert(configuration, "insert", NewJob::bind);
        this.insertPlain = insert(configuration, "insertPlain", NewJob::bindPlain);
        this.states = ids(configuration, "states");
        this.move = ids(configuration, "move");
        this.retry = ids(configuration, "retry");
        this.reschedule = ids(configuration, "reschedule");
        this.parts = ids(configuration, "parts");
        this.page = new PageSql(configuration, "page");
        this.pageStates = new PageSql(configuration, "pageStates");
        this.pageEnded = new PageSql(configuration, "pageEnded");
        this.lock = ids(configuration, "lock");
        this.lockEnded = ids(configuration, "lockEnded");
        this.remove = ids(configuration, "remove");
    }

    private static RowInsert<NewJob> insert(Configuration configuration, String name, RowInsert.Binder<NewJob> binder) {
        return new RowInsert<>(SizedSql.ofRows(configuration, JobMapper.class, name), binder, NewJob::maxBytes);
    }

    private static SizedSql ids(Configuration configuration, String name) {
        return SizedSql.ofIds(configuration, JobMapper.class, name);
    }

    void insert(Connection connection, List<NewJob> rows) throws SQLException {
        boolean areAllPlain = rows.stream().allMatch(NewJob::isPlain);
        (areAllPlain ? insertPlain : insert).run(connection, rows);
    }

    List<RowState> states(Connection connection, List<String> ids) throws SQLException {
        return states(states, connection, ids);
    }

    /** Locks the rows, in the order of their ids within {@value SizedSql#MAX_IDS}. */
    List<RowState> lock(Connection connection, List<String> ids) throws SQLException {
        return states(lock, connection, ids);
    }

    private static List<RowState> states(SizedSql sql, Connection connection, List<String> ids) throws SQLException {
        List<RowState> found = new ArrayList<>(ids.size());
        for (List<String> chunk : SizedSql.chunks(ids)) {
            try (PreparedStatement statement = connection.prepareStatement(sql.of(chunk))) {
                SizedSql.bind(statement, 1, chunk);
                read(statement, found);
            }
        }
        return found;
    }

    /**
     * Reads a page. A restore reads a million rows, and MyBatis takes six times as long for a row.
     *
     * @param longest longer bodies with options are left in the database
     */
    List<PartRow> page(Connection connection, PageSql.Query query, long longest) throws SQLException {
        try (PreparedStatement statement = page.prepare(connection, query, longest)) {
            return readParts(statement, query.limit());
        }
    }

    /**
     * @param ids at most {@value SizedSql#MAX_IDS}
     * @param longest longer bodies with options are left in the database
     */
    List<PartRow> parts(Connection connection, List<String> ids, long longest) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(parts.of(ids))) {
            // Once for the options and once for the body.
            statement.setLong(1, longest);
            statement.setLong(2, longest);
            SizedSql.bind(statement, 3, ids);
            return readParts(statement, ids.size());
        }
    }

    private static List<PartRow> readParts(PreparedStatement statement, int most) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            List<PartRow> found = new ArrayList<>(most);
            while (rows.next()) {
                found.add(PartRow.read(rows));
            }
            return found;
        }
    }

    List<RowState> pageStates(Connection connection, PageSql.Query query) throws SQLException {
        try (PreparedStatement statement = pageStates.prepare(connection, query, 0)) {
            List<RowState> found = new ArrayList<>(query.limit());
            read(statement, found);
            return found;
        }
    }

    List<EndedRow> pageEnded(Connection connection, PageSql.Query query) throws SQLException {
        try (PreparedStatement statement = pageEnded.prepare(connection, query, 0);
                ResultSet rows = statement.executeQuery()) {
            List<EndedRow> found = new ArrayList<>(query.limit());
            while (rows.next()) {
                found.add(new EndedRow(rows.getString(1), rows.getLong(2), UtcTime.toMillis(UtcTime.read(rows, 3))));
            }
            return found;
        }
    }

    private static void read(PreparedStatement statement, List<RowState> into) throws SQLException {
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                MessageStatus status = MessageStatus.ofCode(rows.getInt(3));
                long updateTimeMs = UtcTime.toMillis(UtcTime.read(rows, 7));
                into.add(new RowState(
                        rows.getString(1),
                        rows.getInt(2),
                        status,
                        rows.getLong(4),
                        rows.getLong(5),
                        rows.getInt(6),
                        updateTimeMs));
            }
        }
    }

    /**
     * Applies one change to its rows.
     *
     * @param rows at most {@value SizedSql#MAX_IDS}
     * @param now see {@link UtcTime#text}
     * @return the number of rows that had the version and the status from which the change begins
     */
    int move(Connection connection, List<Transition> rows, RowChange change, String now) throws SQLException {
        List<String> ids = rows.stream().map(Transition::id).toList();
        String sql = (change.moved() ? retry : move).of(ids);
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int next = change.moved() ? bindEach(statement, 1, rows, Transition::id, Transition::retryMs) : 1;
            statement.setInt(next, change.to().code());
            statement.setInt(next + 1, change.attempts());
            statement.setInt(next + 2, change.attempts());
            statement.setString(next + 3, now);
            int last = SizedSql.bind(statement, next + 4, ids);
            statement.setInt(last, change.version());
            statement.setInt(last + 1, change.from().code());
            if (change.moved()) {
                bindEach(statement, last + 2, rows, Transition::id, Transition::dueMs);
            }
            return statement.executeUpdate();
        }
    }

    /**
     * Gives rows their next version, with a due time each. The caller has locked them.
     *
     * @param changes to one status and one number of attempts; at most {@value SizedSql#MAX_IDS}
     */
    void reschedule(Connection connection, List<Rescheduling> changes, String now) throws SQLException {
        List<String> ids = changes.stream().map(change -> change.message().id()).toList();
        Transition to = changes.get(0).transition();
        try (PreparedStatement statement = connection.prepareStatement(reschedule.of(ids))) {
            List<DelayMessage> rows =
                    changes.stream().map(Rescheduling::message).toList();
            int next = bindEach(statement, 1, rows, DelayMessage::id, DelayMessage::dueTimeMs);
            statement.setInt(next, to.to().code());
            statement.setInt(next + 1, to.attempts());
            statement.setString(next + 2, now);
            SizedSql.bind(statement, next + 3, ids);
            statement.executeUpdate();
        }
    }

    /** Binds an id and its new value for each row. The last row is repeated until the list is full, as its id is. */
    static <T> int bindEach(
            PreparedStatement statement, int first, List<T> rows, Function<T, String> id, ToLongFunction<T> value)
            throws SQLException {
        int next = first;
        for (int i = 0; i < SizedSql.holding(rows.size()); i++) {
            T row = rows.get(Math.min(i, rows.size() - 1));
            statement.setString(next++, id.apply(row));
            statement.setLong(next++, value.applyAsLong(row));
        }
        return next;
    }

    /**
     * Locks the rows that still have the status and whose last change was before the time.
     *
     * @param ids at most {@value SizedSql#MAX_IDS}
     * @param changedBefore see {@link UtcTime#text}
     */
    List<String> lockEnded(Connection connection, List<String> ids, MessageStatus status, String changedBefore)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(lockEnded.of(ids))) {
            int next = SizedSql.bind(statement, 1, ids);
            statement.setInt(next, status.code());
            statement.setString(next + 1, changedBefore);
            List<String> locked = new ArrayList<>(ids.size());
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    locked.add(rows.getString(1));
                }
            }
            return locked;
        }
    }

    /** @param ids at most {@value SizedSql#MAX_IDS} */
    void remove(Connection connection, List<String> ids) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(remove.of(ids))) {
            SizedSql.bind(statement, 1, ids);
            statement.executeUpdate();
        }
    }
}
