package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrayCollectorTest {
    /** And not the longer it took: on a busy machine that says nothing of Redis. */
    @ParameterizedTest
    @CsvSource({"0, 10000", "20000, 10000", "24000, 12000", "300000, 120000"})
    void restsTheLongerTheMoreTopicsItCounted(long lists, long pauseMs) {
        assertThat(StrayCollector.rest(lists)).isEqualTo(Duration.ofMillis(pauseMs));
    }
}
