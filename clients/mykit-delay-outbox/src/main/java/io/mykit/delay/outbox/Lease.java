package io.mykit.delay.outbox;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;

/** The lease of the rows of one claim. The relay's thread renews it while it waits for an answer. One thread. */
final class Lease {
    private final DataSource database;
    private final Claims claims;
    private final String taker;
    private final List<Long> ids;
    private final Duration length;
    private long renewedNanos;

    /** @param begunNanos before the claim */
    Lease(DataSource database, Claims claims, String taker, List<Long> ids, Duration length, long begunNanos) {
        this.database = database;
        this.claims = claims;
        this.taker = taker;
        this.ids = List.copyOf(ids);
        this.length = length;
        this.renewedNanos = begunNanos;
    }

    /**
     * Waits for the end of a call, whatever its outcome.
     *
     * @throws LostException if another relay may take the rows. The call is given up then
     */
    void await(CompletableFuture<?> call) throws SQLException, InterruptedException {
        while (!call.isDone()) {
            try {
                keep();
                call.get(Math.max(1, dueNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                // The lease is renewed in the next round.
            } catch (ExecutionException | CancellationException failed) {
                return;
            } catch (SQLException | RuntimeException | InterruptedException e) {
                call.cancel(true);
                throw e;
            }
        }
    }

    /** Renews the lease if it is time. To be called before each call that may change something. */
    void keep() throws SQLException {
        if (dueNanos() > 0) {
            return;
        }
        long begin = System.nanoTime();
        int kept = Transactions.run(database, connection -> claims.renew(connection, taker, ids, length));
        if (kept < ids.size()) {
            throw new LostException(
                    (ids.size() - kept) + " of " + ids.size() + " rows are in the hands of another relay");
        }
        renewedNanos = begin;
    }

    private long dueNanos() {
        return renewedNanos + length.toNanos() / 3 - System.nanoTime();
    }

    /** The relay was too slow: the lease ended. */
    static final class LostException extends RuntimeException {
        LostException(String message) {
            super(message);
        }
    }
}
