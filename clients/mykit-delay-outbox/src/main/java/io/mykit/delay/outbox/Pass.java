package io.mykit.delay.outbox;

import io.mykit.delay.outbox.Claims.Tries;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** The rounds of a thread of a relay: takes rows, makes their calls, deletes the rows or gives them back. One thread. */
final class Pass {
    /** A row that has to wait for another one is looked at again after this time. */
    private static final long FIRST_BEHIND_MS = 200;

    private static final long LONGEST_BEHIND_MS = 10_000;

    private final DataSource database;
    private final Claims claims;
    private final Calls calls;
    private final Duration lease;
    private final String thread = Long.toHexString(new SecureRandom().nextLong());
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
     * The rows of a round.
     *
     * @param taker names the claim
     * @param begunNanos before the claim
     */
    record Round(String taker, long begunNanos, Claims.Taken taken) {}

    /** What became of the rows of a round. */
    record Result(Map<Row, Fate> fates) {
        /** Null = there was none. */
        Fate.Outage outage() {
            return Fate.outage(fates.values());
        }

        long done() {
            return fates.values().stream().filter(Fate.Done.class::isInstance).count();
        }
    }

    /**
     * Takes rows. A row that has to wait for another one is put off. A crash before the commit leaves nothing behind. After it the rows
     * come back when their lease ends.
     *
     * @param limit of the rows
     */
    Round take(int limit) throws SQLException {
        long begin = System.nanoTime();
        Round round = take(limit, begin, behindMs(begin));
        if (!round.taken().rows().isEmpty() || !round.taken().hadRows()) {
            behindSinceNanos = null;
        } else if (behindSinceNanos == null) {
            behindSinceNanos = begin;
        }
        return round;
    }

    /** Takes rows, or none of them if one has to wait for another one. */
    Round takeIfFree(int limit) throws SQLException {
        return take(limit, System.nanoTime(), null);
    }

    private Round take(int limit, long begin, Long behindMs) throws SQLException {
        String taker = thread + "-" + number++;
        return new Round(
                taker,
                begin,
                Transactions.run(database, connection -> claims.take(connection, taker, limit, lease, behindMs)));
    }

    /**
     * Makes the calls. A crash before the commit leaves the rows under their lease, and each call may have been made already: it is
     * repeated, with the same id. After the commit the work is done.
     */
    Result carryOut(Round round) throws SQLException, InterruptedException {
        List<Row> rows = round.taken().rows();
        if (rows.isEmpty()) {
            return new Result(Map.of());
        }
        List<Long> ids = rows.stream().map(Row::id).toList();
        Lease held = new Lease(database, claims, round.taker(), ids, lease, round.begunNanos());
        Map<Row, Fate> fates = calls.make(rows, held);
        Transactions.run(database, connection -> settle(connection, round.taker(), fates));
        return new Result(fates);
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
            } else if (each.getValue() instanceof Fate.Again again) {
                long gapMs = Gap.after(row.tries(), again.retryAfter());
                claims.release(connection, taker, List.of(row.id()), gapMs, Tries.KEPT);
            } else if (each.getValue() instanceof Fate.Outage outage && outage.mayBeOwn()) {
                // The next round takes others, which tell whether it is an outage.
                long gapMs = Gap.after(row.tries(), outage.retryAfter());
                claims.release(connection, taker, List.of(row.id()), gapMs, Tries.OF_OUTAGE);
            } else if (each.getValue() instanceof Fate.Outage outage && outage.mayBeDone()) {
                inDoubt.add(row.id());
            } else {
                untried.add(row.id());
            }
        }
        claims.delete(connection, taker, done);
        claims.release(connection, taker, inDoubt, 0, Tries.OF_OUTAGE);
        claims.release(connection, taker, untried, 0, Tries.UNTRIED);
        return null;
    }

    /** Longer than the relay has needed for such rows so far: otherwise they are back before it gets past all of them. */
    private long behindMs(long nowNanos) {
        long soFarMs = behindSinceNanos == null ? 0 : TimeUnit.NANOSECONDS.toMillis(nowNanos - behindSinceNanos);
        return Math.max(FIRST_BEHIND_MS, Math.min(soFarMs * 2, LONGEST_BEHIND_MS));
    }
}
