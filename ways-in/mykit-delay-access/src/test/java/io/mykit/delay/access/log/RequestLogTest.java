package io.mykit.delay.access.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestLogTest {
    @ParameterizedTest
    @ValueSource(strings = {"off", "errors", "sample:5", "all"})
    void theLogIsTurnedOnAndOffWhateverIsConfigured(String choice) {
        RequestLog log = new RequestLog(choice, new SimpleMeterRegistry());
        assertThat(log.isOn()).isEqualTo(!choice.equals("off"));
        log.start();
        log.turn(true);
        assertThat(log.isOn()).isTrue();
        assertThat(log.begin(null).logged()).isTrue();
        log.turn(false);
        assertThat(log.isOn()).isFalse();
        assertThat(log.begin("id").logged()).isFalse();
        log.close();
    }
}
