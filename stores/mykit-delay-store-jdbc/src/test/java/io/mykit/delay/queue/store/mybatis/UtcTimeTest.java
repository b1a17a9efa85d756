package io.mykit.delay.queue.store.mybatis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

class UtcTimeTest {
    @Test
    void timesSurviveInUtc() {
        for (long epochMs : new long[] {0, -1, 1_700_000_123_456L, 253_402_300_799_999L}) {
            assertThat(UtcTime.toMillis(UtcTime.ofMillis(epochMs))).isEqualTo(epochMs);
            assertThat(UtcTime.toMillis(UtcTime.parse(UtcTime.text(epochMs)))).isEqualTo(epochMs);
        }
        assertThat(UtcTime.ofMillis(1)).isEqualTo(LocalDateTime.of(1970, 1, 1, 0, 0, 0, 1_000_000));
    }

    @Test
    void textsAreSqlLiterals() {
        assertThat(UtcTime.text(0)).isEqualTo("1970-01-01 00:00:00.000");
        assertThat(UtcTime.text(-1)).isEqualTo("1969-12-31 23:59:59.999");
        assertThat(UtcTime.text(1_700_000_123_456L)).isEqualTo("2023-11-14 22:15:23.456");
        UtcTime.Texts texts = new UtcTime.Texts();
        assertThat(texts.of(1)).isEqualTo("1970-01-01 00:00:00.001").isSameAs(texts.of(1));
    }
}
