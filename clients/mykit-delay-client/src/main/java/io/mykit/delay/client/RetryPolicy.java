package io.mykit.delay.client;

import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The retry policy of one message. A key that is not given comes from the configuration of the server. Immutable.
 *
 * <pre>{@code
 * RetryPolicy.gaps(Duration.ofSeconds(5), Duration.ofMinutes(5), Duration.ofHours(1))
 * RetryPolicy.growing(Duration.ofSeconds(1), 2).maxInterval(Duration.ofMinutes(10)).maxAttempts(8)
 * RetryPolicy.every(Duration.ofMinutes(10)).maxAttempts(0)
 * }</pre>
 */
public final class RetryPolicy {
    private final Map<String, Object> fields;

    private RetryPolicy(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** The gaps one by one; the last one repeats. */
    public static RetryPolicy gaps(Duration... gaps) {
        return new RetryPolicy(
                Map.of("gaps", Arrays.stream(gaps).map(Duration::toMillis).toList()));
    }

    /** The first gap, and the factor from one gap to the next. */
    public static RetryPolicy growing(Duration interval, double multiplier) {
        return new RetryPolicy(Map.of("interval", interval.toMillis(), "multiplier", multiplier));
    }

    /** The same gap each time. */
    public static RetryPolicy every(Duration interval) {
        return growing(interval, 1);
    }

    /** The number of attempts, with the gaps of the server. */
    public static RetryPolicy attempts(int maxAttempts) {
        return new RetryPolicy(Map.of()).maxAttempts(maxAttempts);
    }

    /** @param maxAttempts the first one included; 0 = no limit */
    public RetryPolicy maxAttempts(int maxAttempts) {
        return with("maxAttempts", maxAttempts);
    }

    /** The longest gap of those that grow. */
    public RetryPolicy maxInterval(Duration maxInterval) {
        return with("maxInterval", maxInterval.toMillis());
    }

    /** @param jitter 0 to 1: a gap is drawn from {@code gap * (1 - jitter)} to {@code gap} */
    public RetryPolicy jitter(double jitter) {
        return with("jitter", jitter);
    }

    private RetryPolicy with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new RetryPolicy(more);
    }

    Map<String, Object> fields() {
        return fields;
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
