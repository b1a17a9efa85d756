package io.mykit.delay.queue.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FitnessWatchTest {
    private long now = 1_000;
    private Set<String> down = Set.of();
    private final FitnessWatch watch =
            new FitnessWatch(() -> down, Duration.ofSeconds(1), Duration.ofSeconds(3), () -> now);

    @Test
    void aPartIsLostAtOnceAndBackOnlyAfterAWhile() {
        assertThat(look("store", "index")).containsExactly("index", "store");
        assertThat(look("store")).containsExactly("index", "store");
        look("store");
        look("store");
        assertThat(look("store")).containsExactly("store");
        for (int i = 0; i < 3; i++) {
            assertThat(look()).containsExactly("store");
        }
        assertThat(look()).isEmpty();
    }

    @Test
    void theFirstLookAsksTwiceBecauseClientsMayJustBeStarting() {
        List<Set<String>> answers = new ArrayList<>(List.of(Set.of("channel broker"), Set.of(), Set.of("index")));
        FitnessWatch starting =
                new FitnessWatch(() -> answers.remove(0), Duration.ofSeconds(1), Duration.ofSeconds(3), () -> now);
        assertThat(starting.hasLooked()).isFalse();
        starting.runOnce();
        assertThat(starting.hasLooked()).isTrue();
        assertThat(starting.unusable()).isEmpty();
        starting.runOnce();
        assertThat(starting.unusable()).containsExactly("index");
    }

    @Test
    void aPartThatComesAndGoesIsGone() {
        for (int i = 0; i < 5; i++) {
            assertThat(look("index")).containsExactly("index");
            assertThat(look()).containsExactly("index");
            assertThat(look()).containsExactly("index");
        }
    }

    private Set<String> look(String... unusable) {
        now += Duration.ofSeconds(1).toNanos();
        down = Set.of(unusable);
        assertThat(watch.runOnce()).isEqualTo(Duration.ofSeconds(1));
        return watch.unusable();
    }
}
