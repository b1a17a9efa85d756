package io.mykit.delay.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts unknown tokens by the address of the client: ten in a minute. A known token always passes, so a client behind the
 * same proxy cannot lock others out. The limit shows a wrong configuration, by one line of the log for each address and minute, and spares work. It bounds no guesses: only
 * long tokens protect against them. Thread-safe.
 */
public final class FailedLogins {
    private static final Logger LOG = LoggerFactory.getLogger(FailedLogins.class);
    private static final int PER_MINUTE = 10;
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** Beyond this number of addresses the oldest one is forgotten. */
    static final int MAX_ADDRESSES = 4096;

    private final LongSupplier nanoTime;
    /** Guarded by this; the oldest first. */
    private final Map<String, Minute> byAddress = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Minute> eldest) {
            return size() > MAX_ADDRESSES;
        }
    };

    public FailedLogins() {
        this(System::nanoTime);
    }

    FailedLogins(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /**
     * Counts an unknown token.
     *
     * @return the seconds after which the address may try again; 0 = it may still try
     */
    public synchronized long count(String address) {
        long now = nanoTime.getAsLong();
        Minute minute = byAddress.get(address);
        if (minute == null || now - minute.startNanos() >= MINUTE_NANOS) {
            // The removal moves the address to the end of the order.
            byAddress.remove(address);
            byAddress.put(address, new Minute(now, 1));
            return 0;
        }
        if (minute.failures() <= PER_MINUTE) {
            byAddress.put(address, new Minute(minute.startNanos(), minute.failures() + 1));
        }
        if (minute.failures() < PER_MINUTE) {
            return 0;
        }
        if (minute.failures() == PER_MINUTE) {
            LOG.warn(
                    "More than {} unknown tokens came from {} within a minute; further ones are told to wait",
                    PER_MINUTE,
                    address);
        }
        return 1 + TimeUnit.NANOSECONDS.toSeconds(minute.startNanos() + MINUTE_NANOS - now);
    }

    synchronized int addresses() {
        return byAddress.size();
    }

    private record Minute(long startNanos, int failures) {}
}
