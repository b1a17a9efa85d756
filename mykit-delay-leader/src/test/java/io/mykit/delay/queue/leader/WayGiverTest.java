package io.mykit.delay.queue.leader;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WayGiverTest {
    private static final Set<String> NONE = Set.of();
    private static final Set<String> INDEX = Set.of("index");

    private long now = 1_000;
    private final WayGiver giver = new WayGiver(Duration.ofSeconds(10), () -> now);

    @Test
    void betterIsUsingMoreOfWhatThisNodeCanUse() {
        assertThat(better(INDEX, NONE)).isTrue();
        assertThat(better(Set.of("index", "store"), INDEX)).isTrue();
        assertThat(better(NONE, NONE)).isFalse();
        assertThat(better(NONE, INDEX)).isFalse();
        assertThat(better(INDEX, INDEX)).isFalse();
        assertThat(better(INDEX, Set.of("store"))).isFalse();
        assertThat(better(Set.of("index", "store"), Set.of("channel rocketmq"))).isFalse();
        assertThat(WayGiver.better(INDEX, Map.of())).isEmpty();
    }

    @Test
    void givesWayWhenOneWasBetterForTheWholePeriod() {
        assertThat(due(INDEX, NONE)).isFalse();
        pass(9);
        assertThat(due(INDEX, NONE)).isFalse();
        pass(1);
        assertThat(due(INDEX, NONE)).isTrue();
        pass(5);
        assertThat(giver.details())
                .containsEntry("because", "could not use index")
                .containsEntry("for", "other")
                .containsEntry("secondsAgo", 5L);
    }

    @Test
    void aPartThatIsLostForAllMovesNothing() {
        // The other one learns of it a moment later, and of the end a moment earlier.
        assertThat(due(INDEX, NONE)).isFalse();
        pass(5);
        assertThat(due(INDEX, INDEX)).isFalse();
        pass(3600);
        assertThat(due(INDEX, NONE)).isFalse();
        pass(5);
        assertThat(due(NONE, NONE)).isFalse();
        pass(5);
        assertThat(due(INDEX, NONE)).isFalse();
        assertThat(giver.details()).isEmpty();
    }

    @Test
    void anotherBetterNodeBeginsAnew() {
        assertThat(giver.isDue(INDEX, Map.of("b", NONE, "a", INDEX))).isFalse();
        pass(9);
        assertThat(giver.isDue(INDEX, Map.of("a", NONE))).isFalse();
        pass(1);
        assertThat(giver.isDue(INDEX, Map.of("a", NONE, "b", NONE))).isFalse();
        pass(9);
        assertThat(giver.isDue(INDEX, Map.of("a", NONE, "b", NONE))).isTrue();
    }

    @Test
    void whatWasSeenBeforeTheRegistryWasLostDoesNotCount() {
        due(INDEX, NONE);
        pass(9);
        giver.reset();
        pass(1);
        assertThat(due(INDEX, NONE)).isFalse();
    }

    @Test
    void eachTimeTakesTwiceAsLongUntilItWorkedWellForLong() {
        for (int seconds : new int[] {10, 20, 40, 80, 160, 320, 320}) {
            assertThat(giver.needed()).isEqualTo(Duration.ofSeconds(seconds));
            due(INDEX, NONE);
            pass(seconds - 1);
            assertThat(due(INDEX, NONE)).isFalse();
            pass(1);
            assertThat(due(INDEX, NONE)).isTrue();
            giver.reset();
        }
        due(NONE, NONE);
        pass(599);
        due(NONE, NONE);
        assertThat(giver.needed()).isEqualTo(Duration.ofSeconds(320));
        pass(2);
        due(NONE, NONE);
        assertThat(giver.needed()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void aWinnerYieldsOnlyAFewTimesInARow() {
        for (int i = 0; i < 3; i++) {
            assertThat(giver.yields(Optional.of("other"))).isTrue();
        }
        assertThat(giver.yields(Optional.of("other"))).isFalse();
        assertThat(giver.yields(Optional.of("other"))).isTrue();
        assertThat(giver.yields(Optional.empty())).isFalse();
    }

    private void pass(long seconds) {
        now += Duration.ofSeconds(seconds).toNanos();
    }

    private boolean due(Set<String> own, Set<String> other) {
        return giver.isDue(own, Map.of("other", other));
    }

    private static boolean better(Set<String> own, Set<String> other) {
        return WayGiver.better(own, Map.of("other", other)).isPresent();
    }
}
