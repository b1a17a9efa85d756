package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.AuditStore;
import io.mykit.delay.queue.store.mybatis.AuditMapper.AuditLine;
import java.util.List;
import java.util.Locale;

/** The table {@code mykit_delay_audit}. Thread-safe. */
final class AuditRows implements AuditStore {
    /** Above all ids. */
    private static final String LAST_ID = ":";

    private final Transactions transactions;

    AuditRows(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public void write(AuditRow row) {
        AuditLine line = new AuditLine(
                row.id(),
                UtcTime.ofMillis(row.timeMs()),
                row.actor(),
                row.address(),
                row.action(),
                row.object(),
                row.detail(),
                row.outcome());
        try {
            boolean unused = transactions.write(session -> {
                session.audit().insert(line);
                return true;
            });
        } catch (DuplicateRowException written) {
            // The id belongs to this row alone: an earlier try was committed, and its answer was lost.
        }
    }

    @Override
    public void end(String id, String outcome) {
        boolean unused = transactions.write(session -> {
            session.audit().end(id, outcome);
            return true;
        });
    }

    @Override
    public List<AuditRow> page(AuditQuery query, int limit) {
        String before = query.before().isEmpty() ? LAST_ID : query.before();
        List<AuditLine> found = transactions.read(session -> session.audit()
                .page(
                        firstId(query.sinceMs()),
                        before,
                        query.action().orElse(null),
                        query.actor().orElse(null),
                        limit));
        return found.stream()
                .map(line -> new AuditRow(
                        line.id(),
                        UtcTime.toMillis(line.at()),
                        line.actor(),
                        line.address(),
                        line.action(),
                        line.object(),
                        line.detail(),
                        line.outcome()))
                .toList();
    }

    @Override
    public int remove(long beforeMs, int limit) {
        return transactions.write(session -> {
            List<String> old = session.audit().old(firstId(beforeMs), limit);
            return old.isEmpty() ? 0 : session.audit().remove(old);
        });
    }

    /** No row of this time or a later one has a smaller id. */
    private static String firstId(long timeMs) {
        return String.format(Locale.ROOT, "%013d", Math.max(0, timeMs));
    }
}
