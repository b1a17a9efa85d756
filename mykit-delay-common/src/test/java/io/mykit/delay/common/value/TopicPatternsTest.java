package io.mykit.delay.common.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicPatternsTest {
    @Test
    void aBeginningDoesNotHideAnExactName() {
        TopicPatterns<String> patterns = new TopicPatterns<>(Map.of("ab", "exact", "ab*", "long", "a*", "short"));
        assertThat(patterns.all("ab")).containsExactly("exact", "long", "short");
        assertThat(patterns.first("abc")).contains("long");
        assertThat(patterns.first("ac")).contains("short");
        assertThat(patterns.first("b")).isEmpty();
    }
}
