package io.mykit.delay.spring.outbox;

import io.mykit.delay.outbox.DelayOutbox;
import io.mykit.delay.outbox.OutboxState;
import java.sql.SQLException;
import java.util.Optional;

/** Looks at the outbox, for metrics and health. A look serves all questions of the next five seconds. Thread-safe. */
public final class OutboxProbe {
    private static final long FRESH_NANOS = 5_000_000_000L;

    private final DelayOutbox outbox;
    private final RelayLifecycle relay;
    private OutboxState state;
    private String failure;
    private long seenNanos;

    public OutboxProbe(DelayOutbox outbox, RelayLifecycle relay) {
        this.outbox = outbox;
        this.relay = relay;
    }

    /** Empty = the table cannot be read. */
    public synchronized Optional<OutboxState> state() {
        if ((state == null && failure == null) || System.nanoTime() - seenNanos > FRESH_NANOS) {
            try {
                state = outbox.state();
                failure = null;
            } catch (SQLException e) {
                state = null;
                failure = e.getMessage();
            }
            seenNanos = System.nanoTime();
        }
        return Optional.ofNullable(state);
    }

    /** Why the table cannot be read. */
    public synchronized Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    /** That of this instance. */
    public RelayLifecycle relay() {
        return relay;
    }
}
