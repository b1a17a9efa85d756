package io.mykit.delay.grape;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrapeSettingsTest {
    private static ChannelSettings settings(Map<String, String> given) {
        return ChannelSettings.of("grape", GrapeSettings.keys(), given, Duration.ofSeconds(5));
    }

    private static List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        new GrapeSection()
                .check(
                        settings(given),
                        (ChannelKey<?> key, String allowed) -> problems.add(key.name() + " " + allowed));
        return problems;
    }

    @Test
    void isOffByDefault() {
        assertThat(problems(Map.of())).isEmpty();
        assertThat(GrapeSection.isOn(settings(Map.of()))).isFalse();
        assertThat(GrapeSection.rules(settings(Map.of()))).isEmpty();
        assertThat(new GrapeSettings(settings(Map.of())).isOpen()).isFalse();
    }

    @Test
    void itsTopicsArePulled() {
        assertThat(GrapeSection.rules(settings(Map.of("port", "9521"))))
                .isEqualTo(Map.of("mykit.delay.delivery.topics.\"grape/*\".channel", "pull"));
        assertThat(GrapeSection.rules(settings(Map.of("port", "0", "topic-prefix", "shop/"))))
                .containsOnlyKeys("mykit.delay.delivery.topics.\"shop/*\".channel");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "shop", "a/b/", "a b/", "中/", "a*/", "123456789012345678901234567890123/"})
    void aPrefixIsOnePartAndASlash(String prefix) {
        assertThat(problems(Map.of("topic-prefix", prefix)))
                .containsExactly("topic-prefix must be 1 to 32 of A-Z a-z 0-9 . _ - and a / at its end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536"})
    void aPortHasSixteenBits(String port) {
        assertThat(problems(Map.of("port", port))).containsExactly("port must be from 0 to 65535");
    }
}
