package io.mykit.delay.lmstfy.job;

import io.mykit.delay.common.message.Crockford;
import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * Makes ids in the form of lmstfy's, a ULID: 48 bits of time, 48 bits that are unique, and the delay in seconds as four bytes, the lowest
 * first. A job with attributes has a {@code 1} in front. The unique bits are a counter of 12 bits and 36 random bits of this process.
 * Thread-safe.
 */
public final class JobIds {
    private static final int COUNTER_BITS = 12;
    private static final int NODE_BITS = 36;
    private static final int LENGTH = 26;
    private static final int BYTE = 8;

    private final InstantSource clock;
    private final long node;
    private long last;

    public JobIds(InstantSource clock) {
        this(clock, new SecureRandom().nextLong());
    }

    JobIds(InstantSource clock, long node) {
        this.clock = clock;
        this.node = node & ((1L << NODE_BITS) - 1);
    }

    /** @param delaySeconds of 32 bits */
    public String next(long delaySeconds, boolean withAttributes) {
        long stamp;
        synchronized (this) {
            // While the clock stands still, the counter goes on, and its overflow raises the milliseconds.
            stamp = Math.max(clock.millis() << COUNTER_BITS, last + 1);
            last = stamp;
        }
        long unique = (stamp & ((1L << COUNTER_BITS) - 1)) << NODE_BITS | node;
        long delay = Integer.toUnsignedLong(Integer.reverseBytes((int) delaySeconds));
        char[] id = new char[LENGTH];
        Crockford.write(stamp >>> COUNTER_BITS, id, 0, 10);
        // Two times 40 bits: the first five unique bytes, and the last one with the delay.
        Crockford.write(unique >>> BYTE, id, 10, 8);
        Crockford.write((unique & 0xff) << Integer.SIZE | delay, id, 18, 8);
        return (withAttributes ? "1" : "") + new String(id);
    }
}
