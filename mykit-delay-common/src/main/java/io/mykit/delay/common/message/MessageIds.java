package io.mykit.delay.common.message;

import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * Generates ids that grow with time, so new rows go to the end of the primary key.
 *
 * <p>20 characters of Crockford's base 32: 48 bits of milliseconds, 12 bits counting inside one millisecond, 40 random bits
 * chosen once per process. The layout follows ULID (https://github.com/ulid/spec), shortened. Thread-safe.
 */
public final class MessageIds {
    private static final int COUNTER_BITS = 12;
    private static final int NODE_BITS = 40;

    private final InstantSource clock;
    private final long node;
    private long last;

    public MessageIds(InstantSource clock) {
        this(clock, new SecureRandom().nextLong());
    }

    MessageIds(InstantSource clock, long node) {
        this.clock = clock;
        this.node = node & ((1L << NODE_BITS) - 1);
    }

    /** A new id. It is greater than every id that this instance returned before. */
    public String next() {
        long stamp;
        synchronized (this) {
            // While the clock stands still or goes back, the counter goes on, and its overflow raises the milliseconds
            // ahead of the clock.
            stamp = Math.max(clock.millis() << COUNTER_BITS, last + 1);
            last = stamp;
        }
        char[] id = new char[20];
        Crockford.write(stamp, id, 0, 12);
        Crockford.write(node, id, 12, 8);
        return new String(id);
    }
}
