package io.mykit.delay.queue.metric;

import java.time.Duration;
import java.util.Arrays;

/** The kinds of metric families: type, unit and buckets. Immutable. */
@SuppressWarnings("ImmutableEnumChecker") // The arrays are given out as copies.
public enum Kind {
    COUNTER("counter", null, "_total"),
    GAUGE("gauge", null, ""),
    SECONDS("gauge", "seconds", "_seconds"),
    BYTES("gauge", "bytes", "_bytes"),
    MESSAGES("gauge", "messages", "_messages"),
    /** Only the leader knows its value. */
    LEADER_GAUGE("gauge", null, ""),
    /** Only the leader knows its value. */
    LEADER_SECONDS("gauge", "seconds", "_seconds"),
    /** Count, sum and maximum of durations, without buckets. */
    TIMER("summary", "seconds", "_seconds"),
    /** The lateness of messages: some milliseconds at rest, minutes after an outage. */
    LATE(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000),
    /** Commits and sends: some milliseconds at rest, seconds until a timeout. */
    FAST(1, 5, 10, 25, 50, 100, 250, 1_000, 5_000),
    /** Requests. Some of them wait for messages for up to a minute. */
    HTTP(5, 25, 100, 250, 1_000, 5_000, 60_000),
    /** Steps of which there are many kinds: few buckets each. */
    COARSE(5, 50, 1_000),
    /** Numbers of messages. */
    BATCH(new double[] {1, 5, 25, 100, 250, 500, 1_000});

    private final String type;
    private final String unit;
    private final String suffix;
    private final Duration[] durations;
    private final double[] sizes;

    Kind(String type, String unit, String suffix) {
        this(type, unit, suffix, new long[0], new double[0]);
    }

    Kind(long... millis) {
        this("histogram", "seconds", "_seconds", millis, new double[0]);
    }

    Kind(double[] sizes) {
        this("histogram", "messages", "_messages", new long[0], sizes);
    }

    Kind(String type, String unit, String suffix, long[] millis, double[] sizes) {
        this.type = type;
        this.unit = unit;
        this.suffix = suffix;
        this.durations = Arrays.stream(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
        this.sizes = sizes;
    }

    /** The type for Prometheus. */
    public String type() {
        return type;
    }

    /** Whether nodes that do not lead leave the family out. */
    public boolean isOfLeader() {
        return this == LEADER_GAUGE || this == LEADER_SECONDS;
    }

    String suffix() {
        return suffix;
    }

    /** Null = none. */
    String unit() {
        return unit;
    }

    Duration[] durations() {
        return durations.clone();
    }

    double[] sizes() {
        return sizes.clone();
    }
}
