package io.mykit.delay.queue.store.mybatis;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.mykit.delay.queue.metric.Family;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.ToDoubleFunction;

/**
 * The metrics of the database: the statements that run for messages, and the pools. A kind of statement has series once it has
 * run. Thread-safe.
 */
final class StoreMeters {
    private final MeterRegistry meters;
    private final AtomicReferenceArray<Timer> timers = new AtomicReferenceArray<>(Kind.values().length);

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
        Timer known = timers.get(kind.ordinal());
        if (known == null) {
            known = Family.STORE_STATEMENT_DURATION.timer(meters, kind.name().toLowerCase(Locale.ROOT));
            timers.set(kind.ordinal(), known);
        }
        known.record(nanos, TimeUnit.NANOSECONDS);
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
