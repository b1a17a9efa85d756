package io.mykit.delay.queue.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LatenessClassesTest {
    private final LatenessClasses lateness = new LatenessClasses();

    @Test
    void eachTakeBeginsAnew() {
        lateness.record(3);
        lateness.record(4_000_000);
        assertThat(lateness.take()).satisfies(taken -> {
            assertThat(LongStream.of(taken).sum()).isEqualTo(2);
            assertThat(taken[LatenessClasses.classOf(3)]).isEqualTo(1);
            assertThat(taken[LatenessClasses.COUNT - 1]).isEqualTo(1);
        });
        assertThat(lateness.takeLongest()).isEqualTo(4_000_000);
        assertThat(LongStream.of(lateness.take()).sum()).isZero();
        assertThat(lateness.takeLongest()).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 0.99})
    void aPercentileIsWithinAQuarterOfTheTrueOne(double share) {
        long[] late = new Random(7)
                .doubles(20_000)
                .mapToLong(x -> Math.round(Math.exp(x * 14)))
                .toArray();
        LongStream.of(late).forEach(lateness::record);
        Arrays.sort(late);
        long exact = late[(int) (share * late.length)];
        long found = LatenessClasses.percentile(lateness.take(), share, lateness.takeLongest());
        assertThat((double) found).isBetween(exact * 0.75, exact * 1.25);
    }

    @Test
    void aPercentileIsAtMostTheLongest() {
        lateness.record(6);
        assertThat(LatenessClasses.percentile(lateness.take(), 0.99, lateness.takeLongest()))
                .isEqualTo(6);
    }

    @Test
    void withoutDeliveriesThereIsNoPercentile() {
        assertThat(LatenessClasses.percentile(lateness.take(), 0.5, -1)).isEqualTo(-1);
    }
}
