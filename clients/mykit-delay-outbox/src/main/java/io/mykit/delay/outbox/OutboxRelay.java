package io.mykit.delay.outbox;

import io.mykit.delay.client.DelayClient;
import java.io.Closeable;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/**
 * Makes the calls that stand in an outbox, and deletes their rows. Each instance of the application may run one: a row is taken by
 * one of them, under a lease. If an instance dies, its rows come back when the lease ends. No transaction is open and no
 * connection is held while a call runs. Thread-safe.
 *
 * <p>It has two threads, daemons. The second one takes the next rows while the first one waits for answers, if there are many rows or
 * an answer is slow. While no server can be reached the first one tries a few rows, with pauses that grow to ten seconds. It
 * logs the begin and the end of an outage by {@code System.Logger} under the name {@code io.mykit.delay.outbox}.
 */
public final class OutboxRelay implements Closeable {
    private static final Logger LOG = System.getLogger("io.mykit.delay.outbox");
    private static final Duration RETRY_FOR = Duration.ofSeconds(2);
    private static final Duration GRACE = Duration.ofSeconds(15);
    private static final Duration LAST_GRACE = Duration.ofSeconds(1);
    private static final long FIRST_PAUSE_MS = 500;
    private static final long LONGEST_PAUSE_MS = 10_000;
    /** A round of the first thread that takes longer is slow. */
    private static final long SLOW_MS = 500;
    /** While nothing works. */
    private static final int PROBE = 10;

    private final Calls calls;
    private final Pass first;
    private final Pass second;
    private final int batch;
    private final Duration poll;
    private final List<Thread> threads;
    private final Semaphore wakes = new Semaphore(0);
    /** Has a permit if the first thread has left rows. */
    private final Semaphore more = new Semaphore(0);

    private final LongAdder relayed = new LongAdder();
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile String failure;
    private volatile boolean isProbing;
    /** The round in which the first thread makes calls; null = none. */
    private volatile Pass.Round calling;
    // Of the first thread.
    private int failures;
    // Of the second thread.
    private Pass.Round lastSeen;

    private OutboxRelay(Builder builder) {
        Claims claims = new Claims(builder.table);
        this.calls = new Calls(builder.client.retryingFor(RETRY_FOR).async(), builder.listener);
        this.first = new Pass(builder.database, claims, calls, builder.lease);
        this.second = new Pass(builder.database, claims, calls, builder.lease);
        this.batch = builder.batch;
        this.poll = builder.poll;
        this.threads = List.of(
                new Thread(() -> loop(this::lead), "mykit-delay-outbox"),
                new Thread(() -> loop(this::assist), "mykit-delay-outbox-2"));
        threads.forEach(thread -> thread.setDaemon(true));
    }

    /** Lets the relay look for rows at once. To be called after a commit; without it a row waits for the next poll. */
    public void wake() {
        if (wakes.availablePermits() == 0) {
            wakes.release();
        }
    }

    /** The number of calls that this relay has made. */
    public long relayed() {
        return relayed.sum();
    }

    /** Why the latest round failed: no server takes calls, or the database fails; also, that a thread has died. Empty = none of them. */
    public Optional<String> failure() {
        if (!isRunning() && !isStopping()) {
            return Optional.of("a thread of the relay has died; a restart of the application brings another one");
        }
        return Optional.ofNullable(failure);
    }

    /** Whether its threads live. */
    public boolean isRunning() {
        return threads.stream().allMatch(Thread::isAlive);
    }

    /** The work of a thread until the next look whether the relay stops. */
    @FunctionalInterface
    private interface Turn {
        void take() throws InterruptedException;
    }

    private void loop(Turn turn) {
        while (!isStopping()) {
            try {
                turn.take();
            } catch (InterruptedException e) {
                LOG.log(
                        Level.WARNING,
                        isStopping()
                                ? "The relay of the outbox was stopped during a call; its rows come back by themselves"
                                : "The relay of the outbox was interrupted, perhaps by a listener, and goes on");
            } catch (Throwable e) {
                // Even the log failed.
                failure = e.getClass().getName();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(FIRST_PAUSE_MS));
            }
        }
    }

    private void lead() throws InterruptedException {
        boolean hadRows = round();
        if (!hadRows && wakes.tryAcquire(poll.toMillis(), TimeUnit.MILLISECONDS)) {
            wakes.drainPermits();
        }
    }

    /** Returns whether the next round should begin at once. */
    private boolean round() throws InterruptedException {
        try {
            Pass.Round round = first.take(isProbing ? PROBE : batch);
            if (round.taken().hasMore() && !isProbing) {
                more.release();
            }
            calling = round;
            Fate.Outage outage = carryOut(first, round);
            if (outage == null) {
                recovered();
                return round.taken().hadRows();
            }
            pauseAfter(outage.reason(), outage.retryAfter(), null);
            // Among many rows there is one that tells whether others are taken.
            isProbing = !outage.mayBeOwn();
        } catch (Lease.LostException e) {
            LOG.log(Level.WARNING, "The relay of the outbox was too slow, and calls are repeated: " + e.getMessage());
        } catch (SQLException e) {
            pauseAfter("the database failed: " + e.getMessage(), Duration.ZERO, null);
        } catch (RuntimeException | Error e) {
            pauseAfter("" + e, Duration.ZERO, e);
        } finally {
            calling = null;
        }
        return true;
    }

    /**
     * Makes rounds while the first thread leaves rows, or one while its calls are slow. What fails goes back, and the first thread
     * tells.
     */
    @SuppressWarnings("ReferenceEquality") // The very round that was seen last, and not one with the same rows.
    private void assist() throws InterruptedException {
        try {
            if (more.tryAcquire(SLOW_MS, TimeUnit.MILLISECONDS)) {
                more.drainPermits();
                boolean hasMore = true;
                while (hasMore && !isStopping()) {
                    // Otherwise the first thread would have to walk past rows that are put off.
                    Pass.Round round = second.takeIfFree(batch);
                    hasMore = carryOut(second, round) == null && round.taken().hasMore();
                }
                return;
            }
            Pass.Round seen = calling;
            if (seen != null && seen == lastSeen && !isProbing) {
                var unused = carryOut(second, second.take(batch));
            }
            lastSeen = seen;
        } catch (SQLException | RuntimeException | Error e) {
            LOG.log(Level.WARNING, "The second thread of the outbox failed, and goes on: " + e, e);
            var unused = stopped.await(FIRST_PAUSE_MS, TimeUnit.MILLISECONDS);
        }
    }

    /** Returns the outage that the calls tell of; null = none. */
    private Fate.Outage carryOut(Pass pass, Pass.Round round) throws SQLException, InterruptedException {
        Pass.Result result = pass.carryOut(round);
        relayed.add(result.done());
        result.fates().forEach(this::report);
        return result.outage();
    }

    private void report(Row row, Fate fate) {
        if (fate instanceof Fate.Aside aside) {
            LOG.log(Level.ERROR, "The outbox set a call aside, " + row + ": " + aside.reason());
            try {
                calls.tellSetAside(row.setAside(aside.reason()));
            } catch (Throwable e) {
                LOG.log(Level.ERROR, "The listener of the outbox failed", e);
            }
        } else if (fate instanceof Fate.Again again) {
            LOG.log(Level.WARNING, "The outbox tries a call again, " + row + ": " + again.reason());
        }
    }

    /** An outage has one line at its begin. */
    private void pauseAfter(String reason, Duration atLeast, Throwable defect) throws InterruptedException {
        if (failures == 0) {
            LOG.log(Level.WARNING, "The outbox makes no calls and tries again: " + reason, defect);
        }
        failure = reason;
        long longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(failures, 10));
        failures++;
        isProbing = true;
        long pauseMs = ThreadLocalRandom.current().nextLong(longest / 2, longest + 1);
        // All relays that a busy server has turned away should not come back in the same moment.
        var unused = stopped.await(pauseMs + atLeast.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void recovered() {
        if (failures > 0) {
            LOG.log(Level.INFO, "The outbox makes calls again");
        }
        failures = 0;
        isProbing = false;
        failure = null;
    }

    private boolean isStopping() {
        return stopped.getCount() == 0;
    }

    /**
     * Ends the relay after the calls that it makes now, within 16 seconds. All other rows stay for another relay, or for the next start.
     */
    @Override
    public void close() {
        stopped.countDown();
        wake();
        more.release();
        if (threads.contains(Thread.currentThread())) {
            // A listener closes it: it ends after this round.
            return;
        }
        long endNanos = System.nanoTime() + GRACE.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime())));
            }
            threads.forEach(Thread::interrupt);
            for (Thread thread : threads) {
                thread.join(LAST_GRACE.toMillis() / threads.size());
            }
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    /** The settings of a relay. Not thread-safe. */
    public static final class Builder {
        private static final int MAX_BATCH = 500;
        private static final Duration MIN_LEASE = Duration.ofSeconds(1);

        private final DataSource database;
        private final Table table;
        private final DelayClient client;
        private OutboxListener listener = OutboxListener.NONE;
        private Duration poll = Duration.ofMillis(500);
        private Duration lease = Duration.ofSeconds(10);
        private int batch = MAX_BATCH;

        Builder(DataSource database, Table table, DelayClient client) {
            this.database = database;
            this.table = table;
            this.client = Objects.requireNonNull(client, "client");
        }

        /** Is told what became of the calls. */
        public Builder listener(OutboxListener newListener) {
            listener = Objects.requireNonNull(newListener, "listener");
            return this;
        }

        /** The pause of an idle relay between two looks at the table; 500 ms by default, 1 ms at least. */
        public Builder poll(Duration newPoll) {
            poll = atLeast("poll", newPoll, Duration.ofMillis(1));
            return this;
        }

        /**
         * After this time the rows of a relay that died come back; 10 s by default, 1 s at least. The relay renews it while it waits for
         * an answer.
         */
        public Builder lease(Duration newLease) {
            lease = atLeast("lease", newLease, MIN_LEASE);
            return this;
        }

        /** The number of rows that are taken at a time; 500 by default and at most. */
        public Builder batch(int newBatch) {
            if (newBatch < 1 || newBatch > MAX_BATCH) {
                throw new IllegalArgumentException("batch is " + newBatch + "; 1 to " + MAX_BATCH + " are possible");
            }
            batch = newBatch;
            return this;
        }

        private static Duration atLeast(String name, Duration value, Duration least) {
            if (value.compareTo(least) < 0) {
                throw new IllegalArgumentException(name + " is " + value + "; " + least + " or more is possible");
            }
            return value;
        }

        /** Starts the relay. */
        public OutboxRelay start() {
            OutboxRelay relay = new OutboxRelay(this);
            relay.threads.forEach(Thread::start);
            return relay;
        }
    }
}
