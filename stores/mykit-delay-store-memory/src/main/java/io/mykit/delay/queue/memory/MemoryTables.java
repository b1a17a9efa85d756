package io.mykit.delay.queue.memory;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.Transition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The tables of a {@link MemoryMessageStore}: message rows, flow log, epochs, pauses of topics, and tokens. Not thread-safe; the store takes turns, so
 * each of its transactions sees the tables alone.
 */
final class MemoryTables {
    private static final Comparator<StoredMessage> BY_DUE_TIME = Comparator.comparingLong(
                    (StoredMessage row) -> row.message().dueTimeMs())
            .thenComparing(row -> row.message().id());

    final Map<String, StoredMessage> rows = new HashMap<>();
    /** The times of the insertions, by id. */
    final Map<String, Long> inserted = new HashMap<>();

    final Map<String, List<StatusFlow>> log = new HashMap<>();
    final Map<String, Long> epochs = new TreeMap<>();
    final MemoryDead dead = new MemoryDead();
    final Map<String, TopicPause> pauses = new TreeMap<>();
    /** The names with their values by topic. */
    final Map<String, Map<String, String>> settings = new TreeMap<>();

    /** By id, so by time. */
    final NavigableMap<String, AuditRow> audit = new TreeMap<>();

    /** By token id. */
    final Map<String, StoredToken> tokens = new TreeMap<>();

    final Map<String, StoredNamespace> namespaces = new TreeMap<>();
    final Map<String, MessageResult> results = new HashMap<>();

    Stream<StoredMessage> rows(Collection<String> ids) {
        return new LinkedHashSet<>(ids).stream().map(rows::get).filter(Objects::nonNull);
    }

    Stream<StoredMessage> page(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return rows.values().stream()
                .filter(row -> row.status() == status && row.message().dueTimeMs() < dueBeforeMs)
                .filter(row -> isAfter(row.message(), after))
                .sorted(BY_DUE_TIME)
                .limit(limit);
    }

    private static boolean isAfter(DelayMessage message, RowCursor cursor) {
        return message.dueTimeMs() > cursor.dueTimeMs()
                || (message.dueTimeMs() == cursor.dueTimeMs() && message.id().compareTo(cursor.id()) > 0);
    }

    RowState state(StoredMessage row) {
        RowState light = row.state();
        return new RowState(
                light.id(),
                light.version(),
                light.status(),
                light.dueTimeMs(),
                inserted.getOrDefault(light.id(), 0L),
                light.attempts(),
                light.updateTimeMs());
    }

    void insert(NewMessage item, long nowMs) {
        inserted.put(item.message().id(), nowMs);
        rows.put(item.message().id(), new StoredMessage(item.message(), item.status(), 0, nowMs));
    }

    /** Whether the row is still as the transition wants to find it. */
    boolean fits(Transition transition) {
        StoredMessage row = rows.get(transition.id());
        return row != null
                && row.message().version() == transition.version()
                && row.status() == transition.from()
                && transition.isNewsFor(row.message().dueTimeMs());
    }

    void put(DelayMessage message, Transition transition, long nowMs) {
        StoredMessage before = rows.get(message.id());
        boolean sameVersion = before.message().version() == message.version();
        int attempts = sameVersion ? Math.max(before.attempts(), transition.attempts()) : transition.attempts();
        rows.put(message.id(), new StoredMessage(message, transition.to(), attempts, nowMs));
        dead.follow(message, transition);
        results.remove(message.id());
        if (transition.result() != null) {
            results.put(message.id(), transition.result());
        }
    }

    void remove(String id) {
        rows.remove(id);
        inserted.remove(id);
        log.remove(id);
        dead.remove(id);
        results.remove(id);
    }

    /** As the tables of a database: an id may have versions for ever. */
    void cutLog(DelayMessage message) {
        List<StatusFlow> moves = log.get(message.id());
        if (message.version() % 100 == 0 && moves != null && moves.size() > 300) {
            moves.subList(0, moves.size() - 300).clear();
        }
    }

    void log(StatusFlow move) {
        log.computeIfAbsent(move.messageId(), id -> new ArrayList<>()).add(move);
    }
}
