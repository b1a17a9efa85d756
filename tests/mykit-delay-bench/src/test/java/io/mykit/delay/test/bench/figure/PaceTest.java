package io.mykit.delay.test.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {

    @Test
    void intendedTimesAreEvenAndDoNotDrift() {
        Pace pace = new Pace(1_000, 4);
        assertThat(pace.intendedNanos(0)).isEqualTo(1_000);
        assertThat(pace.intendedNanos(1)).isEqualTo(250_001_000);
        assertThat(pace.intendedNanos(4_000_000)).isEqualTo(1_000_000_000_001_000L);
    }
}
