package io.mykit.delay.controller.guard;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.queue.metric.Family;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** Counts the requests of foreign web pages that were refused. Thread-safe. */
public final class GuardMeters {
    private final Map<Sign, Counter> pages = new EnumMap<>(Sign.class);

    public GuardMeters(MeterRegistry meters) {
        for (Sign sign : Sign.values()) {
            pages.put(sign, Family.HTTP_GUARD_REFUSED.counter(meters, word(sign)));
        }
    }

    /** A foreign web page made the request. */
    void page(Sign sign) {
        pages.get(sign).increment();
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
