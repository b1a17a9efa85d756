package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;

/**
 * Gives rows new content and their next version. An id may have versions for ever, as that of a heartbeat, so at each hundredth one the log
 * of its moves is cut to the newest. Thread-safe.
 */
final class Rewriting {
    private static final int VERSIONS = 100;
    /** The moves that stay in the log. Those of the next hundred versions are added, a few of each. */
    private static final int KEPT_MOVES = 300;

    private final Transactions transactions;
    private final FlowRows flow;
    private final InstantSource clock;

    Rewriting(Transactions transactions, FlowRows flow, InstantSource clock) {
        this.transactions = transactions;
        this.flow = flow;
        this.clock = clock;
    }

    /** Returns false if the row has another topic, or not the version and the status from which the transition begins. */
    boolean apply(DelayMessage message, Transition transition) {
        if (!message.id().equals(transition.id()) || message.version() != transition.version() + 1) {
            throw new IllegalArgumentException(message + " is not the next version after version "
                    + transition.version() + " of " + transition.id());
        }
        JobRow row = JobRow.of(message, transition.to(), transition.attempts(), clock.millis());
        return transactions.write(
                session -> rewrite(session, row, transition),
                session -> isDone(session, message) || rewrite(session, row, transition));
    }

    private boolean rewrite(StoreSession session, JobRow row, Transition transition) throws SQLException {
        KeptEnds.log(session, List.of(transition));
        if (session.jobs().rewrite(row, transition.version(), transition.from().code()) == 0) {
            return false;
        }
        session.insertFlow(flow.of(List.of(transition), new UtcTime.Texts()));
        DeadRows.follow(session, List.of(transition));
        ResultRows.follow(session, List.of(transition), UtcTime.text(row.updateTime()));
        if (row.version() % VERSIONS == 0) {
            cutLog(session, row.id());
        }
        return true;
    }

    private static void cutLog(StoreSession session, String id) {
        Long last = session.flow().lastBefore(id, KEPT_MOVES);
        if (last != null) {
            session.flow().removeUpTo(id, last);
            // Without the moves after it, the push would make the log look whole.
            session.jobs().hidePush(id);
        }
    }

    /**
     * True if this content is the stored one: if two nodes gave the message different content at the same time, only
     * one of them made this version.
     */
    private static boolean isDone(StoreSession session, DelayMessage message) throws SQLException {
        List<String> id = List.of(message.id());
        session.lock(id);
        return session.jobs().find(id).stream()
                .map(row -> row.toStored().message())
                .anyMatch(message::equals);
    }
}
