package io.mykit.delay.spring.listener;

import io.mykit.delay.spring.Mode;
import java.time.Duration;

/** Is told how long a listener took. */
@FunctionalInterface
public interface ListenerTimer {
    /** Measures nothing. */
    ListenerTimer NONE = (topic, mode, outcome, took) -> {};

    /** @param outcome {@code done}, {@code rejected}, {@code later} or {@code failed} */
    void record(String topic, Mode mode, String outcome, Duration took);
}
