package io.mykit.delay.common.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ElapsedTimeTest {
    private long wallMs = 1_700_000_000_000L;
    private long nanos = -5;
    private final ElapsedTime time = new ElapsedTime(() -> wallMs, () -> nanos);
    private final long begin = time.getAsLong();

    @Test
    void passesAsTheMonotonicClock() {
        pass(Duration.ofSeconds(7));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void passesWhileTheMachineIsSuspended() {
        suspend(Duration.ofMinutes(10));
        assertThat(elapsed()).isEqualTo(Duration.ofMinutes(10));
        pass(Duration.ofSeconds(1));
        suspend(Duration.ofSeconds(3));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(604));
    }

    @Test
    void neverGoesBackWithTheWallClock() {
        suspend(Duration.ofSeconds(10));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(10));
        wallMs -= 3_600_000;
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(1));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(11));
        suspend(Duration.ofSeconds(2));
        assertThat(elapsed()).isEqualTo(Duration.ofSeconds(13));
    }

    @Test
    void noiseOfTheTwoReadingsIsNoSuspension() {
        for (int i = 0; i < 100; i++) {
            wallMs += i % 2 == 0 ? 150 : -150;
            assertThat(elapsed()).isEqualTo(Duration.ZERO);
        }
    }

    private void pass(Duration time) {
        wallMs += time.toMillis();
        nanos += time.toNanos();
    }

    private void suspend(Duration time) {
        wallMs += time.toMillis();
    }

    private Duration elapsed() {
        return Duration.ofNanos(time.getAsLong() - begin);
    }
}
