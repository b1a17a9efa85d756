package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TargetedTopicsTest {
    @Test
    void targetsAreForgottenAfterTenMinutes() {
        AtomicLong nanoTime = new AtomicLong(-1);
        TargetedTopics topics = new TargetedTopics(nanoTime::get);
        topics.add("a");
        assertThat(topics.contains("a")).isTrue();
        assertThat(topics.contains("b")).isFalse();
        nanoTime.addAndGet(Duration.ofMinutes(10).toNanos());
        assertThat(topics.contains("a")).isFalse();
    }
}
