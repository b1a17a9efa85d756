package io.mykit.delay.test.fault.agent;

import java.util.function.LongSupplier;

/** The clock that the server's reader of the wall clock gets instead. Its state is static, as the call is woven in. */
public final class WrongClock {
    private static volatile long aheadMs;

    private WrongClock() {}

    static void setAheadMs(long ms) {
        aheadMs = ms;
    }

    /** Woven in before the constructor looks at its argument. */
    public static LongSupplier of(LongSupplier wallClockMs) {
        return () -> wallClockMs.getAsLong() + aheadMs;
    }
}
