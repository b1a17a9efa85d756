package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.queue.*} */
public interface QueueConfig {
    /** The default of {@link #prefix()}. */
    String PREFIX = "io.mykit.delay";

    /** The first part of every Redis key. */
    @WithDefault(PREFIX)
    String prefix();

    /** The name of the queue. Several queues can share one Redis; each needs its own database. */
    @WithDefault("mykit-delay")
    String name();

    @WithDefault("4")
    int buckets();

    /** Redis holds the messages that fall due within this time; 0 = all messages. */
    @WithDefault("1h")
    Duration horizon();

    /** The maximum of messages that one script call moves from a bucket to the ready lists. */
    @WithDefault("500")
    int scanBatch();

    /** The longest pause between two scans of an idle bucket. */
    @WithDefault("1s")
    Duration idlePoll();

    /** The shortest time between two rounds of scans while messages fall due often; zero = none. */
    @WithDefault("2ms")
    Duration scanPause();
}
