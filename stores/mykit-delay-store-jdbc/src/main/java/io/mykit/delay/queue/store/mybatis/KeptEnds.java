package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.Transition;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Moves the ends of messages from their rows to the flow log, before these messages leave FINISH: the row will tell of their
 * next end. Messages that do not leave that status cost no statement. Stateless.
 */
final class KeptEnds {
    private KeptEnds() {}

    /** Call it in the transaction of the changes, before the rows of the messages change and before their moves are logged. */
    static void log(StoreSession session, List<Transition> changes) throws SQLException {
        List<String> leaving = changes.stream()
                .filter(change -> change.from() == MessageStatus.FINISH)
                .map(Transition::id)
                .toList();
        for (List<String> ids : SizedSql.chunks(leaving)) {
            List<KeptEnd> ends = session.jobs().lockEnds(ids).stream()
                    .filter(end -> end.ended() != 0)
                    .toList();
            if (!ends.isEmpty()) {
                session.insertFlow(rows(session, ends));
                session.jobs().forgetEnds(ends.stream().map(KeptEnd::id).toList());
            }
        }
    }

    private static List<NewFlow> rows(StoreSession session, List<KeptEnd> ends) {
        Set<Integer> numbers = new TreeSet<>();
        ends.forEach(end -> numbers.add(end.endedBy()));
        Map<Integer, Author> authors = Timeline.authors(session, numbers);
        List<NewFlow> rows = new ArrayList<>(2 * ends.size());
        for (KeptEnd end : ends) {
            for (StatusFlow move : end.moves(authors.getOrDefault(end.endedBy(), Author.UNKNOWN))) {
                rows.add(new NewFlow(
                        end.id(),
                        move.from(),
                        move.to(),
                        move.attempt(),
                        move.thread(),
                        move.host(),
                        "",
                        UtcTime.text(move.atMs())));
            }
        }
        return rows;
    }
}
