package io.mykit.delay.queue.store.mybatis;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of the database: the statements that run for messages, and the pools. A kind of statement has series once it has
 * run. Thread-safe.
 */
final class StoreMeters {
    private final MeterRegistry meters;
    private final ConcurrentMap<Kind, Timer> timers = new ConcurrentHashMap<>();

    StoreMeters(MeterRegistry meters, ConnectionPools pools) {
        this.meters = meters;
        connections(pools, "active", ConnectionPools::active);
        connections(pools, "idle", ConnectionPools::idle);
        connections(pools, "waiting", ConnectionPools::waiting);
        Family.STORE_CONNECTIONS_LIMIT.gauge(meters, pools, ConnectionPools::limit);
    }

    private void connections(ConnectionPools pools, String state, ToDoubleFunction<ConnectionPools> count) {
        Family.STORE_CONNECTIONS.gauge(meters, pools, count, state);
    }

    /** Records a statement that succeeded. */
    void took(Kind kind, long begunNanos) {
        long nanos = System.nanoTime() - begunNanos;
        timers.computeIfAbsent(kind, this::timer).record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        return Family.STORE_STATEMENT_DURATION.timer(meters, kind.name().toLowerCase(Locale.ROOT));
    }

    /** The statements that run for messages. */
    enum Kind {
        INSERT,
        FLOW,
        STATES,
        LOCK,
        MOVE,
        PAGE,
        REMOVE,
        COMMIT
    }
}
