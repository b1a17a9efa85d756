package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.3, 1, 1.5, 3, 50, 777.7, 1_000_000})
    void neverMoreThanTheRateAndOneFullBucketAreTaken(double rate) {
        Random random = new Random(Double.hashCode(rate));
        long start = -SECOND / 2;
        TokenBucket bucket = new TokenBucket(rate, start);
        List<long[]> taken = new ArrayList<>();
        long now = start;
        for (int i = 0; i < 500; i++) {
            now += (long) (random.nextDouble() * random.nextDouble() * 4 * SECOND / Math.min(rate, 200));
            int level = bucket.level(now);
            int tokens = level == 0 ? 0 : 1 + random.nextInt(level);
            bucket.take(tokens, now);
            taken.add(new long[] {now, tokens});
        }
        double burst = Math.max(1, rate);
        for (int from = 0; from < taken.size(); from++) {
            long sum = 0;
            for (int to = from; to < taken.size(); to++) {
                sum += taken.get(to)[1];
                double seconds = (double) (taken.get(to)[0] - taken.get(from)[0]) / SECOND;
                assertThat((double) sum)
                        .as("tokens from %d to %d", from, to)
                        .isLessThanOrEqualTo(rate * seconds + burst + 1e-6);
            }
        }
    }

    @Test
    void aTokenIsThereWhenItsTimeHasCome() {
        TokenBucket bucket = new TokenBucket(50, 0);
        assertThat(bucket.level(0)).isZero();
        assertThat(bucket.nanosUntil(1, 0)).isEqualTo(SECOND / 50);
        assertThat(bucket.level(SECOND / 50 - 1)).isZero();
        assertThat(bucket.level(SECOND / 50)).isEqualTo(1);
        assertThat(bucket.nanosUntilFull(SECOND / 2)).isEqualTo(SECOND / 2);
        assertThat(bucket.level(10 * SECOND)).isEqualTo(50);
        bucket.take(50, 10 * SECOND);
        assertThat(bucket.level(10 * SECOND)).isZero();
        assertThat(bucket.level(10 * SECOND + SECOND / 10)).isEqualTo(5);
    }

    @Test
    void aSlowRateHasOneToken() {
        TokenBucket bucket = new TokenBucket(0.01, 0);
        assertThat(bucket.level(99 * SECOND)).isZero();
        assertThat(bucket.level(100 * SECOND)).isEqualTo(1);
        assertThat(bucket.level(1000 * SECOND)).isEqualTo(1);
    }
}
