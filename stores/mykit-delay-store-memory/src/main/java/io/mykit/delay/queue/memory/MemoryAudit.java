package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.AuditStore;
import java.util.List;
import java.util.NavigableMap;

/** The audit in memory. Thread-safe. */
final class MemoryAudit implements AuditStore {
    private final MemoryTurns turns;
    /** By id, so by time. Used in turns. */
    private final NavigableMap<String, AuditRow> rows;

    MemoryAudit(MemoryTurns turns, NavigableMap<String, AuditRow> rows) {
        this.turns = turns;
        this.rows = rows;
    }

    @Override
    public void write(AuditRow row) {
        AuditRow unused = turns.write(() -> rows.putIfAbsent(row.id(), row));
    }

    @Override
    public void end(String id, String outcome) {
        AuditRow unused = turns.write(() -> rows.computeIfPresent(
                id,
                (same, row) -> new AuditRow(
                        id,
                        row.timeMs(),
                        row.actor(),
                        row.address(),
                        row.action(),
                        row.object(),
                        row.detail(),
                        outcome)));
    }

    @Override
    public List<AuditRow> page(AuditQuery query, int limit) {
        return turns.read(() -> rows.descendingMap().values().stream()
                .filter(row -> query.before().isEmpty() || row.id().compareTo(query.before()) < 0)
                .filter(row -> row.timeMs() >= query.sinceMs())
                .filter(row -> query.action().map(row.action()::equals).orElse(true))
                .filter(row -> query.actor().map(row.actor()::equals).orElse(true))
                .limit(limit)
                .toList());
    }

    @Override
    public int remove(long beforeMs, int limit) {
        return turns.write(() -> {
            List<String> old = rows.values().stream()
                    .filter(row -> row.timeMs() < beforeMs)
                    .limit(limit)
                    .map(AuditRow::id)
                    .toList();
            old.forEach(rows::remove);
            return old.size();
        });
    }
}
