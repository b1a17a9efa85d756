package io.mykit.delay.test.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LoadTest {

    @Test
    void twoLoadsAreOneWithTheTimesOfBoth() {
        Load both = load(99, 1_000).then(load(1, 9_000));
        assertThat(both.answers()).isEqualTo(100);
        assertThat(both.rate()).isEqualTo(50);
        assertThat(both.millisAt(99)).isBetween(0.999, 1.001);
        assertThat(both.millisAt(100)).isBetween(8.99, 9.01);
    }

    private static Load load(int answers, long micros) {
        Histogram times = new Histogram(10_000, 3);
        times.recordValueWithCount(micros, answers);
        return new Load(answers, 0, 1, times);
    }
}
