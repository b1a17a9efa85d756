package io.mykit.delay.client;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A choice of dead letters, and what a respawn does with them. Immutable.
 *
 * <pre>{@code
 * DeadOrder.topic("orders").reason("ATTEMPTS").perSecond(200)
 * }</pre>
 */
public final class DeadOrder {
    private final Map<String, Object> fields;

    private DeadOrder(Map<String, Object> fields) {
        this.fields = fields;
    }

    /** The dead letters of one topic. */
    public static DeadOrder topic(String topic) {
        return new DeadOrder(Map.of("topic", topic));
    }

    /** The dead letters of all topics that begin with this text; not for a list. */
    public static DeadOrder prefix(String prefix) {
        return new DeadOrder(Map.of("prefix", prefix));
    }

    /** Only messages that died at this time or later. */
    public DeadOrder since(Instant since) {
        return with("since", since.toEpochMilli());
    }

    /** Only messages that died before this time. */
    public DeadOrder until(Instant until) {
        return with("until", until.toEpochMilli());
    }

    /** @param reason {@code ATTEMPTS}, {@code REFUSED} or {@code BURIED} */
    public DeadOrder reason(String reason) {
        return with("reason", reason);
    }

    /** At most so many, the oldest first. */
    public DeadOrder limit(long limit) {
        return with("limit", limit);
    }

    /** Only for a list: the {@link DeadPage#next} of the page before. */
    public DeadOrder after(String next) {
        return with("after", next);
    }

    /** Only for a respawn: the first message is due so much later. */
    public DeadOrder delay(Duration delay) {
        return with("delay", delay.toMillis());
    }

    /** Only for a respawn: so many messages fall due in each second. */
    public DeadOrder perSecond(int perSecond) {
        return with("perSecond", perSecond);
    }

    /** For a respawn or a discard: counts, and changes nothing. */
    public DeadOrder dryRun() {
        return with("dryRun", true);
    }

    Map<String, Object> fields() {
        return fields;
    }

    private DeadOrder with(String name, Object value) {
        Map<String, Object> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new DeadOrder(more);
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
