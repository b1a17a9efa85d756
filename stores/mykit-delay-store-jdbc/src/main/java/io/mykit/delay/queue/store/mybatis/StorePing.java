package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.lifecycle.Threads;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks the server whether it is there and takes writes. The question runs on a thread of its own, so that the caller
 * gets an answer in time even if the server gives none. One question runs at a time; callers that come meanwhile wait
 * for the same answer. Thread-safe.
 */
final class StorePing implements AutoCloseable {
    private static final int ANSWER_MS = 900;

    private final ConnectionPools pools;
    private final WriteProbe probe;
    private final ExecutorService thread;
    private Future<Boolean> running;

    StorePing(ConnectionPools pools, WriteProbe probe) {
        this.pools = pools;
        this.probe = probe;
        this.thread = Executors.newSingleThreadExecutor(Threads.named("store-ping"));
    }

    /** The state of the database at this address. Returns within a second, never throws. */
    Health health(String address) {
        String failure = failure();
        return failure == null
                ? Health.up(Map.of("url", address, "active", pools.active(), "idle", pools.idle()))
                : Health.down(address + ": " + failure);
    }

    /** Returns null if the server answers; otherwise the reason. Returns within a second, never throws. */
    private String failure() {
        try {
            return ask().get(ANSWER_MS, TimeUnit.MILLISECONDS) ? null : "the server does not answer";
        } catch (TimeoutException e) {
            return "no answer within " + ANSWER_MS + " ms";
        } catch (ExecutionException e) {
            return SqlFailure.reason(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    private synchronized Future<Boolean> ask() {
        if (thread.isShutdown()) {
            return CompletableFuture.completedFuture(false);
        }
        if (running == null || running.isDone()) {
            running = thread.submit(this::ping);
        }
        return running;
    }

    /**
     * Asks both pools: after an outage one pool may have found the server again while the other pool still refuses
     * its callers. Borrowing a connection may ping it, see {@link LivePing}; a second ping costs hardly any time.
     */
    private boolean ping() throws SQLException {
        try (Connection connection = pools.forStatements().getConnection()) {
            if (!LivePing.ping(connection, ANSWER_MS)) {
                return false;
            }
        }
        if (!probe.isDue()) {
            return true;
        }
        try (Connection connection = pools.forTransactions().getConnection()) {
            if (!LivePing.ping(connection, ANSWER_MS)) {
                return false;
            }
            probe.run(connection);
            return true;
        }
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
    }
}
