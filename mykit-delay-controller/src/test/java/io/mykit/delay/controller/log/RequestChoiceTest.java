package io.mykit.delay.controller.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RequestChoiceTest {
    @Test
    void offAndErrorsAndAll() {
        assertThat(RequestChoice.of("off").isOff()).isTrue();
        assertThat(RequestChoice.of("off").includes(500)).isFalse();
        assertThat(RequestChoice.of("errors").includes(399)).isFalse();
        assertThat(RequestChoice.of("errors").includes(400)).isTrue();
        assertThat(RequestChoice.of("all").includes(200)).isTrue();
    }

    @Test
    void aSampleHasEachErrorAndAShareOfTheOthers() {
        RequestChoice choice = RequestChoice.of("sample:10");
        assertThat(choice.includes(503)).isTrue();
        long included =
                IntStream.range(0, 100_000).filter(i -> choice.includes(200)).count();
        assertThat(included).isBetween(8_000L, 12_000L);
        assertThat(RequestChoice.of("sample:1").includes(200)).isTrue();
    }
}
