package io.mykit.delay.access.token;

import static io.mykit.delay.common.message.FieldRules.invalid;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.FieldRules;
import java.time.Duration;

/** The ranges of limits; 0 = no limit. Stateless. */
public final class LimitRules {
    /** Items a second. */
    public static final int MAX_RATE = 1_000_000;

    public static final Duration MIN_DELAY = Duration.ofSeconds(1);
    public static final Duration MAX_DELAY = Duration.ofDays(3650);
    /** Bytes. */
    public static final int MAX_BODY = 1 << 30;

    public static final int MAX_TOPICS = 100_000;

    private LimitRules() {}

    static int rate(String field, int rate) {
        return number(field, rate, MAX_RATE);
    }

    /** @throws DelayException INVALID_REQUEST */
    static int number(String field, int value, int max) {
        if (value < 0 || value > max) {
            throw invalid(field + " must be between 0 and " + max + "; 0 = no limit");
        }
        return value;
    }

    /** @throws DelayException INVALID_REQUEST */
    static Duration delay(Duration delay) {
        return delay.isZero() ? delay : FieldRules.range("maxDelay", delay, MIN_DELAY, MAX_DELAY);
    }
}
