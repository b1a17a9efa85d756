package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SteadinessTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Steadiness steadiness = new Steadiness(nanos::get);
    private String master = "a";

    @Test
    void aMasterIsNewForSomeSeconds() {
        read();
        assertThat(steadiness.isSteady(this::read)).isFalse();
        pass(5);
        assertThat(steadiness.isSteady(this::read)).isTrue();
    }

    @Test
    void aReadThatBeginsAfterTheQuestionCounts() {
        read();
        pass(5);
        assertThat(steadiness.isSteady(() -> {
                    master = "b";
                    read();
                }))
                .isFalse();
    }

    @Test
    void aReadThatBeganBeforeTheQuestionDoesNotCount() {
        read();
        pass(5);
        steadiness.begin();
        assertThat(steadiness.isSteady(() -> steadiness.found(master))).isFalse();
    }

    private void read() {
        steadiness.begin();
        steadiness.found(master);
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
