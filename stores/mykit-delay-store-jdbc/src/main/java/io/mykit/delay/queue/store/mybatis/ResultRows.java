package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.util.List;

/**
 * Keeps {@code mykit_delay_queue_result} in step with the message table: at most one row, only while the status of the message
 * is FINISH. Messages that finish without a result cost no statement. Stateless.
 */
final class ResultRows {
    private ResultRows() {}

    /**
     * Call it in the transaction of the changes, after the rows of the messages have changed. A node of an older version may have
     * left the result of a message that it removed.
     *
     * @param now see {@link UtcTime#text}
     */
    static void follow(StoreSession session, List<Transition> changes, String now) throws SQLException {
        delete(
                session,
                changes.stream()
                        .filter(change -> change.from() == MessageStatus.FINISH || change.result() != null)
                        .map(Transition::id)
                        .toList());
        List<NewResult> rows = changes.stream()
                .filter(change -> change.result() != null)
                .map(change -> new NewResult(change.id(), change.result(), now))
                .toList();
        session.insertResults(rows);
    }

    static void delete(StoreSession session, List<String> ids) {
        for (List<String> chunk : SizedSql.chunks(ids)) {
            session.results().delete(chunk);
        }
    }
}
