package io.mykit.delay.access;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.metric.Family;
import java.util.Locale;

/** Counts the calls that were refused because of their tokens, whatever protocol they came by. Thread-safe. */
public final class TokenMeters {
    private final Counter unauthorized;
    private final Counter forbidden;

    public TokenMeters(MeterRegistry meters) {
        unauthorized = counter(meters, ErrorCode.UNAUTHORIZED);
        forbidden = counter(meters, ErrorCode.FORBIDDEN);
    }

    /** The token was missing or unknown, or does not allow the call. A token that could not be checked does not count. */
    public void refused(ErrorCode why) {
        if (why == ErrorCode.UNAUTHORIZED) {
            unauthorized.increment();
        } else if (why == ErrorCode.FORBIDDEN) {
            forbidden.increment();
        }
    }

    private static Counter counter(MeterRegistry meters, ErrorCode why) {
        return Family.AUTH_FAILURES.counter(meters, why.name().toLowerCase(Locale.ROOT));
    }
}
