package io.mykit.delay.queue.store.mybatis;

import static java.util.stream.Collectors.toSet;

import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowState;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * New messages that are inserted in the transaction of status changes. Immutable.
 *
 * @param messages by the ids of the changes without which they are not inserted
 * @param author see {@link NewJob}
 */
record Further(Map<String, NewMessage> messages, int author, InstantSource clock) {
    static Further of(Map<String, NewMessage> messages, FlowRows flow, InstantSource clock) {
        return new Further(messages, messages.isEmpty() ? 0 : flow.pushAuthor(), clock);
    }

    /** Inserts the messages of the changes that were not left out. A message whose id is taken is left out as well. */
    List<NewMessage> insert(StoreSession session, Set<String> leftOut) throws SQLException {
        List<NewMessage> wanted = messages.entrySet().stream()
                .filter(entry -> !leftOut.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparing(item -> item.message().id()))
                .toList();
        if (wanted.isEmpty()) {
            return List.of();
        }
        Set<String> taken = session
                .states(wanted.stream().map(item -> item.message().id()).toList())
                .stream()
                .map(RowState::id)
                .collect(toSet());
        List<NewMessage> free = wanted.stream()
                .filter(item -> !taken.contains(item.message().id()))
                .toList();
        long nowMs = clock.millis();
        String now = UtcTime.text(nowMs);
        session.insertJobs(
                free.stream().map(item -> new NewJob(item, nowMs, now, author)).toList());
        return free;
    }
}
