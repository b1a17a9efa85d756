package io.mykit.delay.queue.store.mybatis;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Gives rows new due times and their next versions. Thread-safe. */
final class Reschedules {
    private final Transactions transactions;
    private final FlowRows flow;
    private final InstantSource clock;

    Reschedules(Transactions transactions, FlowRows flow, InstantSource clock) {
        this.transactions = transactions;
        this.flow = flow;
        this.clock = clock;
    }

    /** @return the ids of the changes that were left out */
    Set<String> apply(List<Rescheduling> changes) {
        if (changes.isEmpty()) {
            return Set.of();
        }
        // All transactions lock rows in one order.
        List<Rescheduling> sorted = changes.stream()
                .sorted(Comparator.comparing(change -> change.message().id()))
                .toList();
        return transactions.write(session -> apply(session, sorted, false), session -> apply(session, sorted, true));
    }

    /** @param inDoubt true if an earlier try may have been committed */
    private Set<String> apply(StoreSession session, List<Rescheduling> changes, boolean inDoubt) throws SQLException {
        Map<String, RowState> rows =
                session
                        .lock(changes.stream()
                                .map(change -> change.message().id())
                                .toList())
                        .stream()
                        .collect(toMap(RowState::id, identity()));
        Set<String> leftOut = new HashSet<>();
        List<Rescheduling> there = new ArrayList<>(changes.size());
        for (Rescheduling change : changes) {
            RowState row = rows.get(change.message().id());
            Transition transition = change.transition();
            if (Moves.is(row, transition.version(), transition.from())) {
                there.add(change);
            } else if (!inDoubt || !isAfter(row, change)) {
                leftOut.add(change.message().id());
            }
        }
        List<Transition> moved = there.stream().map(Rescheduling::transition).toList();
        KeptEnds.log(session, moved);
        UtcTime.Texts times = new UtcTime.Texts();
        String now = times.of(clock.millis());
        // Rows that get the same status and number of attempts change together.
        Map<List<Integer>, List<Rescheduling>> alike = there.stream()
                .collect(groupingBy(change -> List.of(
                        change.transition().to().code(), change.transition().attempts())));
        for (List<Rescheduling> group : alike.values()) {
            for (List<Rescheduling> some : SizedSql.chunks(group)) {
                session.reschedule(some, now);
            }
        }
        session.insertFlow(flow.of(moved, times));
        DeadRows.follow(session, moved);
        ResultRows.follow(session, moved, now);
        return leftOut;
    }

    private static boolean isAfter(RowState row, Rescheduling change) {
        DelayMessage message = change.message();
        return Moves.is(row, message.version(), change.transition().to()) && row.dueTimeMs() == message.dueTimeMs();
    }
}
