package io.mykit.delay.common.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationParserTest {
    @ParameterizedTest
    @CsvSource({"500ms,500", "4s,4000", "5m,300000", "2h,7200000", "7d,604800000", "1h30m,5400000", "PT4S,4000", "0,0"})
    void readsWhatPeopleWrite(String text, long ms) {
        assertThat(DurationParser.parse(text)).isEqualTo(Duration.ofMillis(ms));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "4",
                "s",
                "4 s",
                "-4s",
                "4x",
                "4s5",
                "x4s",
                "PT",
                "99999999999999999999s",
                "9223372036854775807d"
            })
    void refusesTheRest(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DurationParser.parse(text))
                .withMessageContaining("500ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0s", "1ms", "1500ms", "4s", "90s", "5m", "36h", "7d"})
    void writesWhatItReads(String text) {
        assertThat(DurationParser.format(DurationParser.parse(text))).isEqualTo(text);
    }

    @Test
    void writesTheLargestUnitThatFits() {
        assertThat(DurationParser.format(Duration.ofHours(2))).isEqualTo("2h");
    }
}
