package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.state.FailingTopics;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackingOffTest {
    private static final long NOW = 1_800_000_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final BackingOff backingOff = new BackingOff(nanos::get);

    @Test
    void tellsSinceWhenAndWhy() {
        backingOff.failed("orders", "no route", Duration.ofSeconds(1));
        pass(Duration.ofSeconds(3));
        backingOff.failed("orders", "still no route", Duration.ofSeconds(2));
        backingOff.failed("bills", "refused", Duration.ofSeconds(1));
        assertThat(backingOff.longest(10, NOW))
                .containsExactly(
                        new FailingTopics.Topic("orders", NOW - 3_000, 2, "still no route"),
                        new FailingTopics.Topic("bills", NOW, 1, "refused"));
        assertThat(backingOff.longest(1, NOW)).hasSize(1);
        backingOff.succeeded("orders");
        assertThat(backingOff.find("orders", NOW)).isEmpty();
        assertThat(backingOff.count()).isEqualTo(1);
        backingOff.clear();
        assertThat(backingOff.count()).isZero();
    }

    @Test
    void aTopicWithoutFurtherTriesIsForgotten() {
        backingOff.failed("orders", "no route", Duration.ofSeconds(10));
        pass(Duration.ofSeconds(69));
        assertThat(backingOff.count()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(backingOff.count()).isZero();
        assertThat(backingOff.longest(10, NOW)).isEmpty();
    }

    @Test
    void theNumberOfTopicsIsBounded() {
        for (int i = 0; i < 5_000; i++) {
            backingOff.failed("topic" + i, "dead", Duration.ofSeconds(1));
        }
        assertThat(backingOff.count()).isEqualTo(1_000);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
