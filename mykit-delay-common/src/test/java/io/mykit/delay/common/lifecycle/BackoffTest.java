package io.mykit.delay.common.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffTest {
    private static final Duration BASE = Duration.ofMillis(100);
    private static final Duration MAX = Duration.ofSeconds(30);

    @Test
    void itDoublesUpToItsMaximum() {
        Backoff longest = new Backoff(BASE, MAX, () -> 1.0);
        assertThat(longest.after(1)).hasMillis(100);
        assertThat(longest.after(2)).hasMillis(200);
        assertThat(longest.after(9)).hasMillis(25_600);
        assertThat(longest.after(10)).isEqualTo(MAX);
        Backoff shortest = new Backoff(BASE, MAX, () -> 0.0);
        assertThat(shortest.after(1)).hasMillis(50);
        assertThat(shortest.after(9)).hasMillis(12_800);
        assertThat(shortest.after(10)).hasMillis(15_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 41, 63, 64, 65, 1000, Integer.MAX_VALUE})
    void manyFailuresStayAtTheMaximum(int failures) {
        assertThat(new Backoff(BASE, MAX, () -> 1.0).after(failures)).isEqualTo(MAX);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void fewerThanOneFailureCountsAsOne(int failures) {
        assertThat(new Backoff(BASE, MAX, () -> 1.0).after(failures)).isEqualTo(BASE);
    }

    @Test
    void drawsFillTheirRangeAndNeverLeaveIt() {
        Backoff backoff = new Backoff(BASE, MAX);
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < 20_000; i++) {
            long drawn = backoff.after(4).toMillis();
            least = Math.min(least, drawn);
            most = Math.max(most, drawn);
        }
        assertThat(least).isBetween(400L, 420L);
        assertThat(most).isBetween(780L, 800L);
    }
}
