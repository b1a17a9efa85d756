package io.mykit.delay.queue.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.RetryLimits;
import io.mykit.delay.common.message.RetryOptions;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static RetryPolicy growing(long intervalMs, double multiplier, long maxIntervalMs, Double jitter) {
        return RetryPolicy.of(new RetryOptions(16, intervalMs, multiplier, maxIntervalMs, null, jitter));
    }

    private static RetryPolicy listed(int maxAttempts, Long... gapsMs) {
        return RetryPolicy.of(new RetryOptions(maxAttempts, null, null, null, List.of(gapsMs), null));
    }

    private static List<Long> gaps(RetryPolicy policy, int attempts, double drawn) {
        return IntStream.rangeClosed(1, attempts)
                .mapToObj(i -> policy.gapAfter(i, () -> drawn).toMillis())
                .toList();
    }

    @Test
    void gapsGrowUpToTheLongest() {
        assertThat(gaps(growing(500, 2, 3000, 0.0), 5, 0)).containsExactly(500L, 1000L, 2000L, 3000L, 3000L);
    }

    @Test
    void theLastGapOfAListRepeats() {
        assertThat(gaps(listed(9, 5L, 70L), 4, 0)).containsExactly(5L, 70L, 70L, 70L);
    }

    @Test
    void growingGapsHaveJitterByDefaultAndOthersHaveNone() {
        assertThat(gaps(growing(1000, 2, 9000, null), 2, 0)).containsExactly(500L, 1000L);
        assertThat(gaps(growing(1000, 1, 9000, null), 2, 0)).containsExactly(1000L, 1000L);
        assertThat(gaps(listed(3, 1000L), 1, 0)).containsExactly(1000L);
    }

    @Test
    void anIntervalAboveTheLongestGapCountsInstead() {
        assertThat(gaps(growing(600_000, 2, 30_000, 0.0), 3, 0)).containsOnly(600_000L);
    }

    @Test
    void noNumberOfAttemptsOverflows() {
        long longest = RetryLimits.MAX_GAP_MS;
        RetryPolicy steep = growing(longest, RetryLimits.MAX_MULTIPLIER, longest, 0.0);
        assertThat(steep.gapAfter(Integer.MAX_VALUE, () -> 0.5).toMillis()).isEqualTo(longest);
        RetryPolicy none = growing(0, RetryLimits.MAX_MULTIPLIER, longest, 0.0);
        assertThat(none.gapAfter(Integer.MAX_VALUE, () -> 0.5)).isZero();
    }

    @Test
    void everyGapIsInItsRange() {
        Random random = new Random(13);
        for (int i = 0; i < 10_000; i++) {
            double jitter = random.nextDouble();
            long interval = random.nextLong(RetryLimits.MAX_GAP_MS);
            RetryPolicy policy = growing(interval, 1 + random.nextDouble() * 9, RetryLimits.MAX_GAP_MS, jitter);
            int attempts = 1 + random.nextInt(RetryLimits.MAX_ATTEMPTS);
            long full = policy.gapAfter(attempts, () -> 1).toMillis();
            long gap = policy.gapAfter(attempts, random::nextDouble).toMillis();
            assertThat(full).isBetween(interval, RetryLimits.MAX_GAP_MS);
            assertThat(gap).isBetween((long) (full * (1 - jitter)) - 1, full);
        }
    }

    @Test
    void attemptsAreUsedUpUnlessThereIsNoLimit() {
        assertThat(listed(3, 1L).isUsedUp(2)).isFalse();
        assertThat(listed(3, 1L).isUsedUp(3)).isTrue();
        assertThat(listed(3, 1L).isUsedUp(7)).as("a policy that shrank").isTrue();
        assertThat(listed(0, 1L).isUsedUp(Integer.MAX_VALUE)).isFalse();
    }
}
