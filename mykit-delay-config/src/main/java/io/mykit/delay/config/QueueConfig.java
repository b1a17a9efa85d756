package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.time.Duration;

/** {@code mykit.delay.queue.*} */
public interface QueueConfig {
    /** The default of {@link #prefix()}. */
    String PREFIX = "io.mykit.delay";

    /** First part of every Redis key. */
    @WithDefault(PREFIX)
    String prefix();

    /** Which queue, when several share one Redis; each needs a database of its own. */
    @WithDefault("mykit-delay")
    String name();

    @WithDefault("4")
    int buckets();

    /** Only what falls due within it is in Redis; 0 = everything. */
    @WithDefault("1h")
    Duration horizon();

    /** Messages moved from a bucket to the ready lists by one script call. */
    @WithDefault("500")
    int scanBatch();

    /** How often an idle bucket is looked at although nothing woke its scanner. */
    @WithDefault("1s")
    Duration idlePoll();
}
