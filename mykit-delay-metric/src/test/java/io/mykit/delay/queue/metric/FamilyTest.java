package io.mykit.delay.queue.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FamilyTest {
    private static final String NAME = "mykit_delay_[a-z]+(_[a-z]+)*";
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

    @ParameterizedTest
    @EnumSource(Family.class)
    void namesHelpAndLabelsFollowTheRules(Family family) {
        assertThat(family.exported()).matches(NAME);
        assertThat(family.help()).matches("[A-Z1].*[^.]");
        assertThat(family.labels()).hasSizeLessThanOrEqualTo(3).allMatch(label -> label.matches("[a-z_]+"));
        assertThat(family.labels()).doesNotContain("id", "bucket", "message", "instance", "job", "le");
        switch (family.kind().type()) {
            case "counter" -> assertThat(family.exported()).endsWith("_total");
            case "histogram", "summary" -> assertThat(family.exported()).matches(".*_(seconds|messages)");
            default ->
                assertThat(family.exported()).doesNotMatch(".*_(total|count|sum|bucket|max|milliseconds|ms|minutes)");
        }
    }

    @Test
    void givesTheNamesOfPrometheus() {
        assertThat(Family.MESSAGES_ACCEPTED.exported()).isEqualTo("mykit_delay_messages_accepted_total");
        assertThat(Family.LATENESS.exported()).isEqualTo("mykit_delay_lateness_seconds");
        assertThat(Family.INTAKE_QUEUE_LIMIT.exported()).isEqualTo("mykit_delay_intake_queue_limit_messages");
        assertThat(Family.LATENESS.meter()).isEqualTo("mykit.delay.lateness");
    }

    @Test
    void aTimerHasTheBucketsOfItsKindAndNoPercentiles() {
        Timer timer = Family.LATENESS.timer(meters, "rocketmq");
        timer.record(7, TimeUnit.MILLISECONDS);
        assertThat(timer.takeSnapshot().histogramCounts()).hasSize(15);
        assertThat(timer.takeSnapshot().percentileValues()).isEmpty();
        assertThat(timer.getId().getTag("channel")).isEqualTo("rocketmq");
    }

    @Test
    void refusesAnotherNumberOfLabels() {
        assertThatThrownBy(() -> Family.DEAD.counter(meters, "rocketmq"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("channel, reason");
    }
}
