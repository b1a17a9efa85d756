package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class FlowRowTest {
    private static final String ROCKET = "\uD83D\uDE80";

    @Test
    void cutsWhatIsTooLongButNoCharacterInHalf() {
        FlowRow row = row("t".repeat(61), "x" + ROCKET.repeat(125));
        assertThat(row.thread()).isEqualTo("t".repeat(60));
        assertThat(row.detail()).isEqualTo("x" + ROCKET.repeat(124));
        assertThat(row("t".repeat(60), ROCKET.repeat(125)).detail()).isEqualTo(ROCKET.repeat(125));
    }

    @Test
    void timesSurviveInUtc() {
        for (long epochMs : new long[] {0, -1, 1_700_000_123_456L, 253_402_300_799_999L}) {
            assertThat(UtcTime.toMillis(UtcTime.ofMillis(epochMs))).isEqualTo(epochMs);
        }
        assertThat(UtcTime.ofMillis(1)).isEqualTo(LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1_000_000));
    }

    private static FlowRow row(String thread, String detail) {
        return new FlowRow("id", null, 1, 0, thread, "host", detail, UtcTime.ofMillis(0));
    }
}
