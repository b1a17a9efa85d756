package io.mykit.delay.queue.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TopicMetersTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final AtomicLong nanos = new AtomicLong();
    private boolean leads = true;
    private final TopicMeters topics = new TopicMeters(
            meters,
            List.of("configured"),
            List.of("named"),
            List.of("jobs/"),
            3,
            () -> Instant.ofEpochMilli(NOW),
            nanos::get,
            () -> leads);

    @Test
    void topicsThatAreNamedHaveMetricsFromTheBeginning() {
        assertThat(topics.named()).containsExactly("configured", "named");
        assertThat(delivered("configured")).isZero();
        assertThat(delivered("named")).isZero();
        assertThat(gauge("waiting", "named")).as("nobody looked").isNaN();
    }

    @Test
    void anEventGivesMetricsToATopicThatFits() {
        topics.delivered("jobs/a", 2);
        topics.dead("jobs/a");
        topics.late("jobs/a", 1500);
        topics.delivered("other", 1);
        assertThat(delivered("jobs/a")).isEqualTo(2);
        assertThat(meters.get("mykit.delay.topic.dead")
                        .tag("topic", "jobs/a")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThat(meters.get("mykit.delay.topic.lateness")
                        .tag("topic", "jobs/a")
                        .timer()
                        .totalTime(TimeUnit.MILLISECONDS))
                .isEqualTo(1500);
        assertThat(meters.find("mykit.delay.topic.delivered")
                        .tag("topic", "other")
                        .counter())
                .isNull();
    }

    @Test
    void noTopicGetsMetricsBeyondTheBound() {
        assertThat(topics.admit(List.of("jobs/c", "jobs/a", "jobs/b", "other")))
                .containsExactly("configured", "jobs/a", "jobs/b", "named");
        topics.delivered("jobs/c", 1);
        topics.delivered("jobs/d", 1);
        assertThat(meters.find("mykit.delay.topic.delivered").counters()).hasSize(4);
        assertThat(unmetered()).as("c and d").isEqualTo(2);
        topics.rest();
        assertThat(unmetered()).as("those of the last round").isEqualTo(2);
        topics.rest();
        assertThat(unmetered()).isZero();
    }

    @Test
    void anIdleTopicGivesItsPlaceToAnother() {
        topics.admit(List.of("jobs/a", "jobs/b"));
        pass(IDLE.minusSeconds(1));
        topics.show("jobs/a", 1, 0, 0, OptionalLong.empty());
        topics.show("jobs/b", 0, 0, 0, OptionalLong.empty());
        pass(Duration.ofSeconds(2));
        topics.rest();
        assertThat(topics.admit(List.of("jobs/c"))).containsExactly("configured", "jobs/a", "jobs/c", "named");
        assertThat(meters.find("mykit.delay.topic.waiting")
                        .tag("topic", "jobs/b")
                        .meters())
                .isEmpty();
        pass(IDLE);
        topics.rest();
        assertThat(topics.admit(List.of())).containsExactly("configured", "named");
        assertThat(meters.find("mykit.delay.topic.delivered").counters()).hasSize(2);
    }

    @Test
    void onlyTheLeaderKnowsTheMessages() {
        topics.show("named", 4, 3, 2, OptionalLong.of(NOW - 2500));
        assertThat(gauge("messages", "named")).isEqualTo(9);
        assertThat(gauge("waiting", "named")).isEqualTo(4);
        assertThat(gauge("ready", "named")).isEqualTo(3);
        assertThat(gauge("held", "named")).isEqualTo(2);
        assertThat(gauge("oldest.overdue", "named")).isEqualTo(2.5);
        leads = false;
        assertThat(gauge("ready", "named")).isNaN();
        leads = true;
        topics.forget();
        assertThat(gauge("ready", "named")).isNaN();
    }

    @Test
    void aTopicThatAnOperatorWantsKeepsItsMetricsUntilHeDoesNot() {
        topics.want(Set.of("orders", "jobs/a"));
        assertThat(delivered("orders")).isZero();
        assertThat(topics.admit(List.of())).containsExactly("configured", "jobs/a", "named", "orders");
        pass(IDLE);
        topics.rest();
        topics.delivered("orders", 2);
        assertThat(delivered("orders")).isEqualTo(2);
        assertThat(topics.isWanted("orders")).isTrue();
        assertThat(topics.isConfigured("orders")).isFalse();
        assertThat(topics.isConfigured("jobs/a")).isTrue();

        topics.want(Set.of());
        assertThat(topics.admit(List.of()))
                .as("the configuration names the beginning jobs/")
                .containsExactly("configured", "jobs/a", "named");
        topics.delivered("orders", 1);
        assertThat(topics.admit(List.of("orders"))).containsExactly("configured", "jobs/a", "named");
        pass(IDLE);
        topics.rest();
        assertThat(topics.admit(List.of())).containsExactly("configured", "named");
    }

    @Test
    void aWantedTopicWithoutAPlaceGetsTheNextOneThatIsFree() {
        topics.admit(List.of("jobs/a", "jobs/b"));
        topics.want(Set.of("orders"));
        assertThat(topics.admit(List.of())).doesNotContain("orders");
        assertThat(unmetered()).isEqualTo(1);
        pass(IDLE);
        topics.rest();
        assertThat(topics.admit(List.of())).containsExactly("configured", "named", "orders");
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private double delivered(String topic) {
        return meters.get("mykit.delay.topic.delivered")
                .tag("topic", topic)
                .counter()
                .count();
    }

    private double gauge(String name, String topic) {
        return meters.get("mykit.delay.topic." + name)
                .tag("topic", topic)
                .gauge()
                .value();
    }

    private double unmetered() {
        return meters.get("mykit.delay.topics.unmetered").gauge().value();
    }
}
