package io.mykit.delay.spring.outbox;

import io.mykit.delay.outbox.OutboxRelay;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.context.SmartLifecycle;

/**
 * The relay of this instance. It starts before the listeners and the web server, and stops after them and before the DataSource is
 * closed. May be started again. Thread-safe.
 */
public final class RelayLifecycle implements SmartLifecycle {
    private final Supplier<OutboxRelay.Builder> settings;
    private volatile OutboxRelay relay;
    private volatile long earlier;

    /** @param settings of the relay; null = this instance has none */
    public RelayLifecycle(Supplier<OutboxRelay.Builder> settings) {
        this.settings = settings;
    }

    /** Rows were committed. */
    public void wake() {
        OutboxRelay running = relay;
        if (running != null) {
            running.wake();
        }
    }

    /** The calls that this instance has made since its start. */
    public long relayed() {
        OutboxRelay running = relay;
        return earlier + (running == null ? 0 : running.relayed());
    }

    /** Why the relay makes no calls, also that its thread has died; empty = it makes them. */
    public Optional<String> failure() {
        OutboxRelay running = relay;
        return running == null ? Optional.empty() : running.failure();
    }

    @Override
    public synchronized void start() {
        if (settings != null && !isRunning()) {
            stop();
            relay = settings.get().start();
        }
    }

    /** Bounded, as {@link OutboxRelay#close} is. */
    @Override
    public synchronized void stop() {
        if (relay != null) {
            OutboxRelay stopped = relay;
            stopped.close();
            relay = null;
            earlier += stopped.relayed();
        }
    }

    /** Whether the thread of the relay lives. */
    @Override
    public boolean isRunning() {
        OutboxRelay running = relay;
        return running != null && running.isRunning();
    }

    @Override
    public int getPhase() {
        return 0;
    }
}
