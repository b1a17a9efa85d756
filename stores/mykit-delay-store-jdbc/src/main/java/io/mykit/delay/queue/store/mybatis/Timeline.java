package io.mykit.delay.queue.store.mybatis;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts the moves of a message together: its push and its ordinary end from its row, all other moves from the flow log.
 * Stateless.
 */
final class Timeline {
    private Timeline() {}

    /** All moves that the tables have, oldest first; empty if there is no such message. */
    static List<StatusFlow> read(StoreSession session, String id) {
        List<TimelineRow> rows = session.flow().timeline(id);
        if (rows.isEmpty()) {
            return List.of();
        }
        TimelineRow row = rows.get(0);
        Set<Integer> numbers = new TreeSet<>();
        boolean tellsOfPush = row.begunBy() != null;
        if (tellsOfPush) {
            numbers.add(row.begunBy());
        }
        numbers.add(row.endedBy());
        Map<Integer, Author> authors = authors(session, numbers);
        List<StatusFlow> moves = new ArrayList<>(rows.size() + 3);
        if (tellsOfPush) {
            moves.add(push(row, authors.getOrDefault(row.begunBy(), Author.UNKNOWN)));
        }
        rows.stream()
                .filter(logged -> logged.logId() != null)
                .sorted(Comparator.comparing(TimelineRow::logId))
                .map(Timeline::move)
                .forEach(moves::add);
        if (row.ended() != 0) {
            KeptEnd end = new KeptEnd(id, row.taken(), row.ended(), row.endedBy(), row.rowAttempts());
            int place = placeOfEnd(moves, row);
            if (place >= 0) {
                moves.addAll(place, end.moves(authors.getOrDefault(row.endedBy(), Author.UNKNOWN)));
            }
        }
        return moves;
    }

    /** Authors by their numbers. 0 is the number of none. */
    static Map<Integer, Author> authors(StoreSession session, Set<Integer> numbers) {
        return numbers.stream()
                .filter(number -> number != 0)
                .map(number -> session.authors().find(number))
                .filter(Objects::nonNull)
                .collect(toMap(Author::author, identity()));
    }

    /**
     * The end is the last move, unless a node of an older version has restored the message: such a node logs the moves after
     * the end and leaves the end in the row.
     *
     * @return -1 if the end has no place any more
     */
    private static int placeOfEnd(List<StatusFlow> moves, TimelineRow row) {
        if (MessageStatus.ofCode(row.rowStatus()) == MessageStatus.FINISH && isLast(moves, row.ended())) {
            return moves.size();
        }
        MessageStatus at = null;
        for (int i = 0; i < moves.size(); i++) {
            if (moves.get(i).from() == MessageStatus.FINISH && at != MessageStatus.FINISH) {
                return i;
            }
            at = moves.get(i).to();
        }
        return -1;
    }

    /**
     * Whether the end of a message in FINISH comes after all logged moves. A logged end may be an earlier one of a message that was
     * restored, or the one that a node of an older version has logged later: the times tell.
     */
    private static boolean isLast(List<StatusFlow> moves, long endedMs) {
        if (moves.isEmpty()) {
            return true;
        }
        StatusFlow last = moves.get(moves.size() - 1);
        return last.to() != MessageStatus.FINISH || last.atMs() < endedMs;
    }

    private static StatusFlow push(TimelineRow row, Author by) {
        MessageStatus status = MessageStatus.ofCode(row.firstStatus());
        return new StatusFlow(row.id(), null, status, row.begun(), by.thread(), by.host(), 0, "");
    }

    private static StatusFlow move(TimelineRow row) {
        return new StatusFlow(
                row.id(),
                row.fromStatus() == null ? null : MessageStatus.ofCode(row.fromStatus()),
                MessageStatus.ofCode(row.status()),
                UtcTime.toMillis(row.updateTime()),
                row.thread(),
                row.host(),
                row.attempt(),
                row.detail());
    }
}
