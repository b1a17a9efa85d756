package io.mykit.delay.test.bucket;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.QueueConfig;
import io.mykit.delay.config.RedisConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.redis.RedisMessageIndex;
import java.time.Duration;

/** Opens indexes for tests. */
public record IndexSettings(Secret uri, Duration timeout, int maxConnections, String name, int buckets)
        implements RedisConfig, QueueConfig {
    private static final String PREFIX = "test.delay";

    /** Four buckets, a timeout of two seconds. */
    public IndexSettings(String uri, String name) {
        this(new Secret(uri), Duration.ofSeconds(2), 16, name, 4);
    }

    public IndexSettings withTimeout(Duration newTimeout) {
        return new IndexSettings(uri, newTimeout, maxConnections, name, buckets);
    }

    public MessageIndex open() {
        return open(new ClusterClock());
    }

    public MessageIndex open(ClusterClock clock) {
        return RedisMessageIndex.open(this, uri, this, clock, new SimpleMeterRegistry());
    }

    @Override
    public String prefix() {
        return PREFIX;
    }

    @Override
    public Duration horizon() {
        return Duration.ZERO;
    }

    @Override
    public int scanBatch() {
        return 500;
    }

    @Override
    public Duration idlePoll() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration scanPause() {
        return Duration.ZERO;
    }
}
