package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.SQLException;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;

/**
 * The mappers over one connection. Inserts are collected, see {@link RowBatch}, and sent by {@link #flush()} or when
 * there are many; everything else happens at once. Not thread-safe; closing it leaves the connection open.
 */
final class StoreSession implements AutoCloseable {
    private final SqlSession session;
    private final RowBatch<JobRow> newJobs;
    private final RowBatch<FlowRow> newFlow;

    StoreSession(SqlSessionFactory sessions, Connection connection) {
        Configuration configuration = sessions.getConfiguration();
        this.session = sessions.openSession(ExecutorType.SIMPLE, connection);
        this.newJobs = new RowBatch<>(connection, insertOf(JobMapper.class, configuration), JobRow::bind);
        this.newFlow = new RowBatch<>(connection, insertOf(FlowMapper.class, configuration), FlowRow::bind);
    }

    JobMapper jobs() {
        return session.getMapper(JobMapper.class);
    }

    FlowMapper flow() {
        return session.getMapper(FlowMapper.class);
    }

    EpochMapper epochs() {
        return session.getMapper(EpochMapper.class);
    }

    void insert(JobRow row) throws SQLException {
        newJobs.add(row);
    }

    void insert(FlowRow row) throws SQLException {
        newFlow.add(row);
    }

    void flush() throws SQLException {
        newJobs.flush();
        newFlow.flush();
    }

    @Override
    public void close() throws SQLException {
        try (newJobs;
                newFlow) {
            session.close();
        }
    }

    private static String insertOf(Class<?> mapper, Configuration configuration) {
        return configuration
                .getMappedStatement(mapper.getName() + ".insert")
                .getBoundSql(null)
                .getSql();
    }
}
