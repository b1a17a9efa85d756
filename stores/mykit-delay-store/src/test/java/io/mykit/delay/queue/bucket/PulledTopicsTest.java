package io.mykit.delay.queue.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PulledTopicsTest {
    @Test
    void theExactNameDecidesThenTheLongestBeginning() {
        PulledTopics topics = PulledTopics.of(
                Map.of("jobs*", true, "jobs-broker*", false, "jobs-broker-1", true, "jobs-x", false, "single", true),
                false);
        assertThat(topics.contains("jobs")).isTrue();
        assertThat(topics.contains("jobs-a")).isTrue();
        assertThat(topics.contains("jobs-broker")).isFalse();
        assertThat(topics.contains("jobs-broker-2")).isFalse();
        assertThat(topics.contains("jobs-broker-1")).isTrue();
        assertThat(topics.contains("jobs-broker-12")).isFalse();
        assertThat(topics.contains("jobs-x")).isFalse();
        assertThat(topics.contains("single")).isTrue();
        assertThat(topics.contains("singles")).isFalse();
    }

    @Test
    void otherTopicsFollowTheDefaultUnlessAPatternStandsForAll() {
        assertThat(PulledTopics.of(Map.of("broker", false), true)).satisfies(topics -> {
            assertThat(topics.contains("broker")).isFalse();
            assertThat(topics.contains("other")).isTrue();
        });
        assertThat(PulledTopics.of(Map.of("*", false, "p", true), true)).satisfies(topics -> {
            assertThat(topics.contains("p")).isTrue();
            assertThat(topics.contains("other")).isFalse();
        });
    }

    @Test
    void aScanGetsNoRuleThatItDoesNotNeed() {
        assertThat(PulledTopics.of(Map.of("a", false, "b*", false), false).isEmpty())
                .isTrue();
        assertThat(PulledTopics.of(Map.of("a", false, "ab", true, "a-1", false, "a-*", true), false)
                        .rules())
                .extracting(PulledTopics.Rule::text)
                .containsExactly("a-1", "ab", "a-");
    }
}
