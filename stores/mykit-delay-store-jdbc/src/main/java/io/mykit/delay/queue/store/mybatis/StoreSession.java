package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.Transition;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;

/**
 * The statements on one connection. Statements that run for every message run without MyBatis, the others by MyBatis.
 * Every statement is executed at once. Not thread-safe; closing the session leaves the connection open.
 */
final class StoreSession implements AutoCloseable {
    private final Statements statements;
    private final Connection connection;
    private SqlSession session;

    StoreSession(Statements statements, Connection connection) {
        this.statements = statements;
        this.connection = connection;
    }

    JobMapper jobs() {
        return mybatis().getMapper(JobMapper.class);
    }

    AuthorMapper authors() {
        return mybatis().getMapper(AuthorMapper.class);
    }

    FlowMapper flow() {
        return mybatis().getMapper(FlowMapper.class);
    }

    DeadMapper dead() {
        return mybatis().getMapper(DeadMapper.class);
    }

    TopicMapper topics() {
        return mybatis().getMapper(TopicMapper.class);
    }

    AuditMapper audit() {
        return mybatis().getMapper(AuditMapper.class);
    }

    TokenMapper tokens() {
        return mybatis().getMapper(TokenMapper.class);
    }

    ResultMapper results() {
        return mybatis().getMapper(ResultMapper.class);
    }

    EpochMapper epochs() {
        return mybatis().getMapper(EpochMapper.class);
    }

    SearchMapper search() {
        return mybatis().getMapper(SearchMapper.class);
    }

    /** The columns of each index of a table, by its name. */
    Map<String, List<String>> indexes(String table) throws SQLException {
        return TableIndexes.of(connection, table);
    }

    void insertJobs(List<NewJob> rows) throws SQLException {
        long begunNanos = System.nanoTime();
        statements.jobs().insert(connection, rows);
        statements.meters().took(StoreMeters.Kind.INSERT, begunNanos);
    }

    void insertFlow(List<NewFlow> rows) throws SQLException {
        if (!rows.isEmpty()) {
            long begunNanos = System.nanoTime();
            statements.flow().insert(connection, rows);
            statements.meters().took(StoreMeters.Kind.FLOW, begunNanos);
        }
    }

    void insertResults(List<NewResult> rows) throws SQLException {
        statements.results().run(connection, rows);
    }

    List<StoredMessage> find(List<String> ids) {
        return SizedSql.chunks(ids).stream()
                .flatMap(chunk -> jobs().find(chunk).stream())
                .map(JobRow::toStored)
                .toList();
    }

    List<RowState> states(List<String> ids) throws SQLException {
        long begunNanos = System.nanoTime();
        List<RowState> found = statements.jobs().states(connection, ids);
        statements.meters().took(StoreMeters.Kind.STATES, begunNanos);
        return found;
    }

    List<PartRow> page(PageSql.Query query, long longest) throws SQLException {
        long begunNanos = System.nanoTime();
        List<PartRow> found = statements.jobs().page(connection, query, longest);
        statements.meters().took(StoreMeters.Kind.PAGE, begunNanos);
        return found;
    }

    List<PartRow> parts(List<String> ids, long longest) throws SQLException {
        return statements.jobs().parts(connection, ids, longest);
    }

    List<RowState> pageStates(PageSql.Query query) throws SQLException {
        long begunNanos = System.nanoTime();
        List<RowState> found = statements.jobs().pageStates(connection, query);
        statements.meters().took(StoreMeters.Kind.PAGE, begunNanos);
        return found;
    }

    List<EndedRow> pageEnded(PageSql.Query query) throws SQLException {
        return statements.jobs().pageEnded(connection, query);
    }

    /** Locks the rows, in the order of their ids. */
    List<RowState> lock(List<String> ids) throws SQLException {
        long begunNanos = System.nanoTime();
        List<RowState> found = statements.jobs().lock(connection, ids);
        statements.meters().took(StoreMeters.Kind.LOCK, begunNanos);
        return found;
    }

    int move(List<Transition> rows, RowChange change, String now) throws SQLException {
        long begunNanos = System.nanoTime();
        int changed = statements.jobs().move(connection, rows, change, now);
        statements.meters().took(StoreMeters.Kind.MOVE, begunNanos);
        return changed;
    }

    /** Applies a change whose rows keep their ends. */
    int end(Map<String, RowEnd> rows, RowChange change, String now) throws SQLException {
        long begunNanos = System.nanoTime();
        int changed = statements.ends().run(connection, rows, change, now);
        statements.meters().took(StoreMeters.Kind.MOVE, begunNanos);
        return changed;
    }

    void reschedule(List<Rescheduling> changes, String now) throws SQLException {
        statements.jobs().reschedule(connection, changes, now);
    }

    List<String> lockEnded(List<String> ids, MessageStatus status, String changedBefore) throws SQLException {
        return statements.jobs().lockEnded(connection, ids, status, changedBefore);
    }

    void remove(List<String> ids) throws SQLException {
        if (!ids.isEmpty()) {
            long begunNanos = System.nanoTime();
            statements.flow().remove(connection, ids);
            statements.jobs().remove(connection, ids);
            statements.meters().took(StoreMeters.Kind.REMOVE, begunNanos);
        }
    }

    private SqlSession mybatis() {
        if (session == null) {
            session = statements.sessions().openSession(ExecutorType.SIMPLE, connection);
        }
        return session;
    }

    @Override
    public void close() {
        if (session != null) {
            session.close();
        }
    }

    /** The statements of a store, created once; thread-safe. */
    record Statements(
            SqlSessionFactory sessions,
            JobStatements jobs,
            EndStatements ends,
            FlowStatements flow,
            RowInsert<NewResult> results,
            StoreMeters meters) {
        Statements(SqlSessionFactory sessions, StoreMeters meters) {
            this(
                    sessions,
                    new JobStatements(sessions.getConfiguration()),
                    new EndStatements(sessions.getConfiguration()),
                    new FlowStatements(sessions.getConfiguration()),
                    new RowInsert<>(
                            SizedSql.ofRows(sessions.getConfiguration(), ResultMapper.class, "insert"),
                            NewResult::bind,
                            NewResult::maxBytes),
                    meters);
        }
    }
}
