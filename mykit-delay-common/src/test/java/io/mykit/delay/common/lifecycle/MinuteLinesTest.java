package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MinuteLinesTest {
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
    private final MinuteLines lines = new MinuteLines(nanos::get);

    @Test
    void aNameHasOneLineAMinuteWithTheNumber() {
        assertThat(lines.count("a")).isOne();
        for (int i = 0; i < 203; i++) {
            assertThat(lines.count("a")).isZero();
        }
        assertThat(lines.count("b")).as("another name").isOne();
        pass(59);
        assertThat(lines.count("a")).isZero();
        pass(1);
        assertThat(lines.count("a")).isEqualTo(205);
        assertThat(lines.count("a")).isZero();
        pass(600);
        assertThat(lines.count("a")).isEqualTo(2);
    }

    @Test
    void theNumberOfNamesIsBounded() {
        for (int i = 0; i < MinuteLines.MAX_NAMES; i++) {
            assertThat(lines.count("name " + i)).isOne();
        }
        assertThat(lines.count("more")).isOne();
        assertThat(lines.count("still more")).isZero();
        pass(60);
        assertThat(lines.count("new")).isOne();
        assertThat(lines.count("others")).isOne();
    }

    private void pass(int seconds) {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }
}
