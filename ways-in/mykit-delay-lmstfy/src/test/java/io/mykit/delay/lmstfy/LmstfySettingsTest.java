package io.mykit.delay.lmstfy;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LmstfySettingsTest {
    private static ChannelSettings settings(Map<String, String> given) {
        return ChannelSettings.of("lmstfy", LmstfySettings.keys(), given, Duration.ofSeconds(5));
    }

    private static List<String> problems(Map<String, String> given) {
        List<String> problems = new ArrayList<>();
        new LmstfySection()
                .check(
                        settings(given),
                        (ChannelKey<?> key, String allowed) -> problems.add(key.name() + " " + allowed));
        return problems;
    }

    @Test
    void isOffByDefault() {
        assertThat(problems(Map.of())).isEmpty();
        assertThat(LmstfySection.isOn(settings(Map.of()))).isFalse();
        assertThat(LmstfySection.rules(settings(Map.of()))).isEmpty();
    }

    @Test
    void itsTopicsArePulled() {
        assertThat(LmstfySection.rules(settings(Map.of("port", "7777"))))
                .isEqualTo(Map.of("mykit.delay.delivery.topics.\"lm/*\".channel", "pull"));
        assertThat(LmstfySection.rules(settings(Map.of("port", "7777", "topic-prefix", "/"))))
                .isEmpty();
    }

    /** Whoever reaches the admin port makes tokens. */
    @Test
    void theAdminPortNeedsAnAccount() {
        assertThat(problems(Map.of("port", "1", "admin-port", "2")))
                .singleElement()
                .asString()
                .startsWith("admin-port needs mykit.delay.lmstfy.admin-user and");
        assertThat(problems(Map.of("port", "1", "admin-port", "2", "open", "true")))
                .isEmpty();
        assertThat(problems(Map.of("port", "1", "admin-port", "2", "admin-user", "u", "admin-password", "p")))
                .isEmpty();
        assertThat(problems(Map.of("admin-user", "u"))).hasSize(1);
        assertThat(problems(Map.of("admin-port", "2", "open", "true")))
                .containsExactly("admin-port needs mykit.delay.lmstfy.port");
    }

    @Test
    void refusesWhatIsOutOfRange() {
        for (Map.Entry<String, String> bad : Map.of(
                        "port", "65536",
                        "topic-prefix", "a b",
                        "max-wait", "2h",
                        "default-ttr", "2d",
                        "default-tries", "0",
                        "default-timeout", "61m")
                .entrySet()) {
            assertThat(problems(Map.of(bad.getKey(), bad.getValue())))
                    .as(bad.getKey())
                    .hasSize(1);
        }
    }
}
