package io.mykit.delay.queue.store.mybatis;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Inserts messages and the beginnings of their flow in one round trip: both INSERTs and the COMMIT are one text, where the
 * server takes such a thing. A batch of a few pushes spends more on its round trips than on its rows. Thread-safe.
 */
final class FirstRows {
    /** Twice as many would make a text that the driver does not cache, and that may be longer than a packet. */
    private static final int MAX_ROWS = Shapes.MAX_ROWS / 2;

    private final boolean severalAtOnce;
    private final RowInsert<NewJob> jobs;
    private final RowInsert<NewFlow> flow;
    private final AtomicReferenceArray<String> texts = new AtomicReferenceArray<>(MAX_ROWS + 1);

    /**
     * @param severalAtOnce whether the server takes several statements in one text
     * @param flow without what a first row has by default
     */
    FirstRows(boolean severalAtOnce, RowInsert<NewJob> jobs, RowInsert<NewFlow> flow) {
        this.severalAtOnce = severalAtOnce;
        this.jobs = jobs;
        this.flow = flow;
    }

    /** @param beginnings one for each message, or none if they are not logged */
    boolean takes(List<NewJob> messages, List<NewFlow> beginnings) {
        if (messages.size() > MAX_ROWS || !jobs.takesAtOnce(messages)) {
            return false;
        }
        return beginnings.isEmpty() || (severalAtOnce && flow.takesAtOnce(beginnings));
    }

    /** On a connection where each statement is a transaction of its own. After a failure the caller rolls back. */
    void insert(Connection connection, List<NewJob> messages, List<NewFlow> beginnings) throws SQLException {
        String sql = beginnings.isEmpty() ? jobs.sql(messages.size()) : text(messages.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int parameter = jobs.bind(messages, statement, 1);
            flow.bind(beginnings, statement, parameter);
            statement.execute();
        }
    }

    private String text(int rows) {
        String text = texts.get(rows);
        if (text == null) {
            texts.compareAndSet(
                    rows, null, "START TRANSACTION; " + jobs.sql(rows) + "; " + flow.sql(rows) + "; COMMIT");
            text = texts.get(rows);
        }
        return text;
    }
}
