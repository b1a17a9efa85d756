package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.MoveResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Applies status changes. The first transaction tries all changes at once, with one UPDATE for changes that are
 * alike. If an UPDATE finds fewer rows than expected, a second transaction locks the rows and checks them before it
 * changes them. Thread-safe.
 */
final class Moves {
    private final Transactions transactions;
    private final FlowRows flow;
    private final InstantSource clock;

    Moves(Transactions transactions, FlowRows flow, InstantSource clock) {
        this.transactions = transactions;
        this.flow = flow;
        this.clock = clock;
    }

    MoveResult apply(List<Transition> transitions, Map<String, NewMessage> further) {
        if (transitions.isEmpty()) {
            return new MoveResult(Set.of(), List.of());
        }
        flow.prepare(transitions);
        Further more = Further.of(further, flow, clock);
        List<List<Transition>> rounds = rounds(transitions);
        Transactions.Work<MoveResult> afterDoubt = session -> lookFirst(session, rounds, more, true);
        try {
            return transactions.write(
                    session -> {
                        for (List<Transition> round : rounds) {
                            update(session, round);
                        }
                        return new MoveResult(Set.of(), more.insert(session, Set.of()));
                    },
                    afterDoubt);
        } catch (RaceLostException | DuplicateRowException e) {
            // A duplicate: another transaction inserted one of the further messages meanwhile.
            boolean inDoubt = e instanceof DuplicateRowException duplicate && duplicate.isInDoubt();
            return transactions.write(session -> lookFirst(session, rounds, more, inDoubt), afterDoubt);
        }
    }

    /** @param inDoubt true if an earlier try may have been committed */
    private MoveResult lookFirst(StoreSession session, List<List<Transition>> rounds, Further more, boolean inDoubt)
            throws SQLException {
        Set<String> lost = new HashSet<>();
        for (List<Transition> round : rounds) {
            update(session, stillThere(session, round, lost, inDoubt));
        }
        return new MoveResult(lost, more.insert(session, lost));
    }

    /**
     * Groups the changes into rounds with each id at most once: a second change of the same message builds on the
     * first.
     */
    private static List<List<Transition>> rounds(List<Transition> transitions) {
        List<List<Transition>> rounds = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        for (Transition transition : transitions) {
            int round = seen.merge(transition.id(), 1, Integer::sum) - 1;
            if (round == rounds.size()) {
                rounds.add(new ArrayList<>());
            }
            rounds.get(round).add(transition);
        }
        // All transactions lock rows in one order.
        rounds.forEach(round -> round.sort(Comparator.comparing(Transition::id)));
        return rounds;
    }

    private static List<Transition> stillThere(
            StoreSession session, List<Transition> round, Set<String> lost, boolean inDoubt) throws SQLException {
        Map<String, RowState> rows = new HashMap<>();
        for (List<String> ids :
                SizedSql.chunks(round.stream().map(Transition::id).toList())) {
            session.lock(ids).forEach(row -> rows.put(row.id(), row));
        }
        List<Transition> there = new ArrayList<>(round.size());
        for (Transition transition : round) {
            RowState row = rows.get(transition.id());
            if (is(row, transition.version(), transition.from()) && transition.isNewsFor(row.dueTimeMs())) {
                there.add(transition);
            } else if (!inDoubt || !is(row, transition.version(), transition.to())) {
                lost.add(transition.id());
            }
        }
        return there;
    }

    /** Whether a row, which may be null, has this version and status. */
    static boolean is(RowState row, int version, MessageStatus status) {
        return row != null && row.version() == version && row.status() == status;
    }

    private void update(StoreSession session, List<Transition> round) throws SQLException {
        Map<RowChange, List<Transition>> alike = new TreeMap<>(RowChange.ORDER);
        UtcTime.Texts times = new UtcTime.Texts();
        for (Transition transition : round) {
            alike.computeIfAbsent(RowChange.of(transition, flow.end(transition)), change -> new ArrayList<>())
                    .add(transition);
        }
        KeptEnds.log(session, round);
        String now = times.of(clock.millis());
        for (Map.Entry<RowChange, List<Transition>> group : alike.entrySet()) {
            List<Transition> rows = group.getValue();
            if (change(session, rows, group.getKey(), now) != rows.size()) {
                throw new RaceLostException();
            }
        }
        session.insertFlow(flow.of(round, times));
        DeadRows.follow(session, round);
        ResultRows.follow(session, round, now);
    }

    /** Returns the number of rows that changed. */
    private int change(StoreSession session, List<Transition> rows, RowChange change, String now) throws SQLException {
        if (change.author() != 0) {
            Map<String, RowEnd> ends = new LinkedHashMap<>();
            rows.forEach(row -> ends.put(row.id(), flow.end(row)));
            return session.end(ends, change, now);
        }
        int changed = 0;
        for (List<Transition> some : SizedSql.chunks(rows)) {
            changed += session.move(some, change, now);
        }
        return changed;
    }

    /** Rolls the first try back. It is no failure, and so it has no stack trace. */
    private static final class RaceLostException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        RaceLostException() {
            super("a row does not have the expected version and status", null, false, false);
        }
    }
}
