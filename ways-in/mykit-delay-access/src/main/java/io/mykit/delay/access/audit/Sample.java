package io.mykit.delay.access.audit;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides which refusals are written: one a second for each address, and {@value #PER_HOUR} an hour. So a client without a token cannot
 * fill the table. Thread-safe.
 */
public final class Sample {
    static final int PER_HOUR = 1000;

    private final LongSupplier nanoTime;
    private long second = Long.MIN_VALUE;
    private long hour = Long.MIN_VALUE;
    private int inHour;
    /** The addresses of this second. */
    private final Set<String> taken = new HashSet<>();

    public Sample(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether a refusal of this address is written. */
    public synchronized boolean takes(String address) {
        long now = nanoTime.getAsLong();
        if (TimeUnit.NANOSECONDS.toSeconds(now) != second) {
            second = TimeUnit.NANOSECONDS.toSeconds(now);
            taken.clear();
        }
        if (TimeUnit.NANOSECONDS.toHours(now) != hour) {
            hour = TimeUnit.NANOSECONDS.toHours(now);
            inHour = 0;
        }
        if (inHour >= PER_HOUR || !taken.add(address)) {
            return false;
        }
        inHour++;
        return true;
    }
}
