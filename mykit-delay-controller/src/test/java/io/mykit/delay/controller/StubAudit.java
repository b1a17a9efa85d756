package io.mykit.delay.controller;

import io.mykit.delay.access.audit.AuditTrail;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.AuditQuery;
import io.mykit.delay.queue.store.AuditRow;
import io.mykit.delay.queue.store.AuditStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Keeps the rows in memory. It takes none about the topic {@value #AWAY}, and none at all while it is away. */
public final class StubAudit implements AuditStore {
    static final String AWAY = "AUDIT_AWAY";

    volatile boolean away;
    private final List<AuditRow> rows = new ArrayList<>();

    /** A trail whose rows have one millisecond each, so that their order is known. */
    public static AuditTrail trail() {
        return trail(new StubAudit());
    }

    static AuditTrail trail(StubAudit rows) {
        AtomicLong time = new AtomicLong(1_700_000_000_000L);
        return new AuditTrail(rows, () -> Instant.ofEpochMilli(time.getAndIncrement()));
    }

    @Override
    public synchronized void write(AuditRow row) {
        if (away || row.object().equals(AWAY)) {
            throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "the database cannot be reached");
        }
        rows.add(row);
    }

    @Override
    public synchronized void end(String id, String outcome) {
        rows.replaceAll(row -> row.id().equals(id)
                ? new AuditRow(
                        id, row.timeMs(), row.actor(), row.address(), row.action(), row.object(), row.detail(), outcome)
                : row);
    }

    @Override
    public synchronized List<AuditRow> page(AuditQuery query, int limit) {
        List<AuditRow> newest = new ArrayList<>(rows);
        Collections.reverse(newest);
        return newest.stream()
                .filter(row -> query.before().isEmpty() || row.id().compareTo(query.before()) < 0)
                .filter(row -> row.timeMs() >= query.sinceMs())
                .filter(row -> query.action().map(row.action()::equals).orElse(true))
                .filter(row -> query.actor().map(row.actor()::equals).orElse(true))
                .limit(limit)
                .toList();
    }

    @Override
    public int remove(long beforeMs, int limit) {
        throw new UnsupportedOperationException("the HTTP interface removes no rows");
    }
}
