package io.mykit.delay.queue.store.mybatis;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps {@code mykit_delay_queue_dead} in step with the message table: a row exactly while the status of the message is
 * FAILED. Messages that do not become or leave that status cost no statement. Stateless.
 */
final class DeadRows {
    private DeadRows() {}

    /** Call it in the transaction of the changes, after the rows of the messages have changed. */
    static void follow(StoreSession session, List<Transition> changes) {
        List<String> left = changes.stream()
                .filter(change -> change.from() == MessageStatus.FAILED)
                .map(Transition::id)
                .toList();
        delete(session, left);
        Map<Death, List<Transition>> dead = changes.stream()
                .filter(change -> change.to() == MessageStatus.FAILED)
                .collect(groupingBy(Death::of, LinkedHashMap::new, toList()));
        dead.forEach((death, alike) -> {
            List<String> ids = alike.stream().map(Transition::id).toList();
            for (List<String> chunk : SizedSql.chunks(ids)) {
                session.dead().insert(chunk, death.reason(), death.detail(), death.atMs());
            }
        });
    }

    static void delete(StoreSession session, List<String> ids) {
        for (List<String> chunk : SizedSql.chunks(ids)) {
            session.dead().delete(chunk);
        }
    }

    /** The columns that the messages of a batch often have in common. One statement inserts the rows of all of them. */
    private record Death(DeadReason reason, String detail, long atMs) {
        static Death of(Transition change) {
            Transition.Step last = change.last();
            return new Death(last.reason(), NewFlow.cut(last.detail(), NewFlow.MAX_DETAIL), last.atMs());
        }
    }
}
