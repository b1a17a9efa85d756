package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;

/**
 * The mappers over one connection. Inserts are collected and sent as a JDBC batch, by {@link #flush()} or when there are
 * many; everything else happens at once. Not thread-safe; closing it leaves the connection open.
 */
final class StoreSession implements AutoCloseable {
    private static final int MAX_COLLECTED = 1000;

    private final SqlSession single;
    private final SqlSession batch;
    private final JobMapper newJobs;
    private final FlowMapper newFlow;
    private int collected;

    StoreSession(SqlSessionFactory sessions, Connection connection) {
        this.single = sessions.openSession(ExecutorType.SIMPLE, connection);
        this.batch = sessions.openSession(ExecutorType.BATCH, connection);
        this.newJobs = batch.getMapper(JobMapper.class);
        this.newFlow = batch.getMapper(FlowMapper.class);
    }

    JobMapper jobs() {
        return single.getMapper(JobMapper.class);
    }

    FlowMapper flow() {
        return single.getMapper(FlowMapper.class);
    }

    EpochMapper epochs() {
        return single.getMapper(EpochMapper.class);
    }

    void insert(JobRow row) {
        newJobs.insert(row);
        flushIfMany();
    }

    void insert(FlowRow row) {
        newFlow.insert(row);
        flushIfMany();
    }

    void flush() {
        if (collected > 0) {
            collected = 0;
            batch.flushStatements();
        }
    }

    private void flushIfMany() {
        if (++collected == MAX_COLLECTED) {
            flush();
        }
    }

    @Override
    public void close() {
        batch.close();
        single.close();
    }
}
