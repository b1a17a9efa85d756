package io.mykit.delay.controller.guard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts the requests that were refused before their handlers. Thread-safe. */
public final class GuardMeters {
    private final Map<Sign, Counter> pages = new EnumMap<>(Sign.class);
    private final Counter unauthorized;
    private final Counter forbidden;

    public GuardMeters(MeterRegistry meters) {
        for (Sign sign : Sign.values()) {
            pages.put(sign, Family.HTTP_GUARD_REFUSED.counter(meters, word(sign)));
        }
        unauthorized = Family.AUTH_FAILURES.counter(meters, word(ErrorCode.UNAUTHORIZED));
        forbidden = Family.AUTH_FAILURES.counter(meters, word(ErrorCode.FORBIDDEN));
    }

    /** A foreign web page made the request. */
    void page(Sign sign) {
        pages.get(sign).increment();
    }

    /** The token was missing or unknown, or does not allow the call. */
    public void token(ErrorCode why) {
        (why == ErrorCode.UNAUTHORIZED ? unauthorized : forbidden).increment();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /** The header that shows a foreign web page. */
    enum Sign {
        ORIGIN,
        FETCH_SITE,
        HOST
    }
}
