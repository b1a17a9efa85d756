package io.mykit.delay.access.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestChoiceTest {
    @Test
    void offAndErrorsAndAll() {
        assertThat(RequestChoice.of("off").isOff()).isTrue();
        assertThat(RequestChoice.of("off").includes(true)).isFalse();
        assertThat(RequestChoice.of("errors").includes(false)).isFalse();
        assertThat(RequestChoice.of("errors").includes(true)).isTrue();
        assertThat(RequestChoice.of("all").includes(false)).isTrue();
    }

    @Test
    void aSampleHasEachErrorAndAShareOfTheOthers() {
        RequestChoice choice = RequestChoice.of("sample:10");
        assertThat(choice.includes(true)).isTrue();
        long included =
                IntStream.range(0, 100_000).filter(i -> choice.includes(false)).count();
        assertThat(included).isBetween(8_000L, 12_000L);
        assertThat(RequestChoice.of("sample:1").includes(false)).isTrue();
    }
}
