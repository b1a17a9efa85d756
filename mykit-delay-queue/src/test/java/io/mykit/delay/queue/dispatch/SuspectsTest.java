package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SuspectsTest {
    private final Suspects suspects = new Suspects();

    @Test
    void isNotGuiltyWhileNothingPasses() {
        for (int times = 1; times <= 100; times++) {
            assertThat(suspects.failed("t", "a")).isEqualTo(new Suspects.Failure(false, times));
            suspects.passed("other", "x");
        }
    }

    @Test
    void isGuiltyOnceForEachFailureAfterOthersPassed() {
        assertThat(suspects.failed("t", "a").isFirst()).isTrue();
        suspects.passed("t", "b");
        assertThat(suspects.failed("t", "a").guilty()).isTrue();
        assertThat(suspects.failed("t", "a")).isEqualTo(new Suspects.Failure(false, 2));
        suspects.passed("t", "c");
        assertThat(suspects.failed("t", "a").guilty()).isTrue();
    }

    @Test
    void isNoSuspectAnyMoreOnceItPassed() {
        suspects.failed("t", "a");
        suspects.failed("t", "b");
        suspects.passed("t", "a");
        assertThat(suspects.contains("t", "a")).isFalse();
        assertThat(suspects.contains("t", "b")).isTrue();
        suspects.forget("t", "b");
        assertThat(suspects.failed("t", "b").isFirst()).isTrue();
    }

    @Test
    void remembersTheLatestOnly() {
        for (int i = 0; i <= Suspects.MAX_PER_TOPIC; i++) {
            suspects.failed("t", "m" + i);
        }
        assertThat(suspects.contains("t", "m0")).isFalse();
        assertThat(suspects.contains("t", "m1")).isTrue();
    }
}
