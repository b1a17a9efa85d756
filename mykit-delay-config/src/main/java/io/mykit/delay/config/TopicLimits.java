package io.mykit.delay.config;

/**
 * The limits of one topic's deliveries. Immutable.
 *
 * @param rate deliveries in a second; 0 = no limit
 * @param concurrency messages that the channel of the topic has at the same time; 0 = no limit
 */
public record TopicLimits(double rate, int concurrency) {
    public static final TopicLimits NONE = new TopicLimits(0, 0);

    static final double MIN_RATE = 0.01;
    static final double MAX_RATE = 1_000_000;
    static final int MAX_CONCURRENCY = 100_000;

    public boolean isNone() {
        return rate == 0 && concurrency == 0;
    }
}
