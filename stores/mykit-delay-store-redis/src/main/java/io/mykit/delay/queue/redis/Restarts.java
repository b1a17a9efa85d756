package io.mykit.delay.queue.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import redis.clients.jedis.HostAndPort;

/**
 * Tells whether a server was restarted a moment ago, as far as this node has seen: a new connection leads to another process. A call
 * is sent on a connection that this object knows, so a call to a restarted server comes after {@link #connected}.
 *
 * <p>A restarted server may lack leases until the leader has claimed its buckets again. The leader does so within about a second.
 * Thread-safe.
 */
final class Restarts {
    private final LongSupplier nanoTime;
    private final Map<HostAndPort, String> runIds = new HashMap<>();
    private boolean any;
    private long lastNanos;

    Restarts(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * A connection to this process was made.
     *
     * @param runId empty = the server does not report it, and its restarts are not seen
     */
    synchronized void connected(HostAndPort address, String runId) {
        if (runId.isEmpty()) {
            return;
        }
        String before = runIds.put(address, runId);
        if (before != null && !before.equals(runId)) {
            any = true;
            lastNanos = nanoTime.getAsLong();
        }
    }

    /** Whether this node saw a restart within the last {@link Steadiness#SETTLED}. */
    synchronized boolean isRecent() {
        return any && nanoTime.getAsLong() - lastNanos < Steadiness.SETTLED.toNanos();
    }
}
