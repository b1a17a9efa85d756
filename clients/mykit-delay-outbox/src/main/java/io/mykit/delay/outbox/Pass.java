package io.mykit.delay.outbox;

import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** One round of a relay: takes rows, makes their calls, deletes the rows or gives them back. One thread. */
final class Pass {
    private static final long FIRST_GAP_MS = 1_000;
    private static final long LONGEST_GAP_MS = 60_000;
    /** A row that has to wait for another one is looked at again after this time. */
    private static final long FIRST_BEHIND_MS = 200;

    private static final long LONGEST_BEHIND_MS = 10_000;

    private final DataSource database;
    private final Claims claims;
    private final Calls calls;
    private final Duration lease;
    private final String relay = Long.toHexString(new SecureRandom().nextLong());
    private long number;
    /** Since then all rows that were found have to wait for others; null = the latest round was not so. */
    private Long behindSinceNanos;

    Pass(DataSource database, Claims claims, Calls calls, Duration lease) {
        this.database = database;
        this.claims = claims;
        this.calls = calls;
        this.lease = lease;
    }

    /**
     * The rows of a round, and what became of them.
     *
     * @param hadRows whether there were some, and be it that all of them have to wait for others
     */
    record Result(Map<Row, Fate> fates, boolean hadRows) {
        /** Null = there was none. */
        Fate.Outage outage() {
            return Fate.outage(fates.values());
        }

        long done() {
            return fates.values().stream().filter(Fate.Done.class::isInstance).count();
        }
    }

    /**
     * What a crash leaves behind: before the claim is committed nothing has happened. After it the rows come back when their lease ends,
     * and each call may have been made already: it is repeated, with the same id. After the last commit the work is done.
     *
     * @param limit of the rows
     */
    Result run(int limit) throws SQLException, InterruptedException {
        String taker = relay + "-" + number++;
        long begin = System.nanoTime();
        long behindMs = behindMs(begin);
        Claims.Taken taken =
                Transactions.run(database, connection -> claims.take(connection, taker, limit, lease, behindMs));
        List<Row> rows = taken.rows();
        if (rows.isEmpty()) {
            if (!taken.hadRows()) {
                behindSinceNanos = null;
            } else if (behindSinceNanos == null) {
                behindSinceNanos = begin;
            }
            return new Result(Map.of(), taken.hadRows());
        }
        behindSinceNanos = null;
        List<Long> ids = rows.stream().map(Row::id).toList();
        Map<Row, Fate> fates = calls.make(rows, new Lease(database, claims, taker, ids, lease, begin));
        Transactions.run(database, connection -> settle(connection, taker, fates));
        return new Result(fates, true);
    }

    private Void settle(Connection connection, String taker, Map<Row, Fate> fates) throws SQLException {
        List<Long> done = new ArrayList<>();
        List<Long> untried = new ArrayList<>();
        List<Long> inDoubt = new ArrayList<>();
        for (Map.Entry<Row, Fate> each : fates.entrySet()) {
            Row row = each.getKey();
            if (each.getValue() instanceof Fate.Done) {
                done.add(row.id());
            } else if (each.getValue() instanceof Fate.Aside aside) {
                claims.setAside(connection, taker, row.id(), aside.reason());
            } else if (each.getValue() instanceof Fate.Again) {
                claims.release(connection, taker, List.of(row.id()), gapMs(row.tries()), false);
            } else if (each.getValue() instanceof Fate.Outage outage && outage.mayBeOwn()) {
                // The next round takes others, which tell whether it is an outage.
                long gapMs = Math.max(gapMs(row.tries()), outage.retryAfter().toMillis());
                claims.release(connection, taker, List.of(row.id()), gapMs, false);
            } else if (each.getValue() instanceof Fate.Outage outage && outage.mayBeDone()) {
                inDoubt.add(row.id());
            } else {
                untried.add(row.id());
            }
        }
        claims.delete(connection, taker, done);
        claims.release(connection, taker, inDoubt, 0, false);
        claims.release(connection, taker, untried, 0, true);
        return null;
    }

    /** Longer than the relay has needed for such rows so far: otherwise they are back before it gets past all of them. */
    private long behindMs(long nowNanos) {
        long soFarMs = behindSinceNanos == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - behindSinceNanos);
        return Math.max(FIRST_BEHIND_MS, Math.min(soFarMs * 2, LONGEST_BEHIND_MS));
    }

    /** Grows from one second to one minute, and is drawn at random from the upper half. */
    private static long gapMs(int tries) {
        long longest = Math.min(LONGEST_GAP_MS, FIRST_GAP_MS << Math.min(tries - 1, 10));
        return ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
    }
}
