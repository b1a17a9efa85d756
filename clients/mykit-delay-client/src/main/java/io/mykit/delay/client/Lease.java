package io.mykit.delay.client;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The time for which a consumer holds a pulled message. It changes: an extension prolongs it, and it may be lost. Any thread.
 */
public final class Lease {
    private final String receipt;
    private volatile Instant until;
    private volatile long heldUntilNanos;
    private volatile boolean bounded;
    private volatile boolean lost;

    /** @param ttr empty = the server chose it */
    Lease(String receipt, Instant until, Optional<Duration> ttr) {
        this.receipt = receipt;
        this.until = until;
        ttr.ifPresent(this::hold);
    }

    /** The proof that this consumer holds the message. */
    public String receipt() {
        return receipt;
    }

    /** The end of the lease by the clock of the server, as the server said last. */
    public Instant until() {
        return until;
    }

    /**
     * Whether the lease is lost: the server said so, or the ttr is over and no extension was confirmed meanwhile. The message
     * may be in other hands then.
     */
    public boolean isLost() {
        return lost || (bounded && System.nanoTime() - heldUntilNanos > 0);
    }

    /** The server has just confirmed the lease for this time. */
    void extended(Duration ttr, Optional<Instant> newUntil) {
        newUntil.ifPresent(end -> until = end);
        hold(ttr);
    }

    void lose() {
        lost = true;
    }

    /** The server counted from a moment before now, so the lease is surely over after this time. */
    private void hold(Duration ttr) {
        heldUntilNanos = System.nanoTime() + ttr.toNanos();
        bounded = true;
    }

    @Override
    public String toString() {
        return "lease until " + until;
    }
}
