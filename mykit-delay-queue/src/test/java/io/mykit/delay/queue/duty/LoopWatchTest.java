package io.mykit.delay.queue.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoopWatchTest {
    private final LoopRunner running = loop("running");
    private final LoopRunner dead = loop("dead");
    private final List<List<String>> hopeless = new ArrayList<>();
    private final LoopWatch watch = new LoopWatch(
            new DeliveryDuty(
                    new MemoryQueue(Duration.ZERO).index(),
                    PausedTopics.NONE,
                    new DifferingTopics(Map.of(), "test", true),
                    term -> null),
            () -> List.of(running, dead),
            Duration.ZERO,
            List.of(),
            hopeless::add);

    @Test
    void whileAllLoopsOfTheNodeRunItIsUp() {
        assertThat(watch.check().up()).isTrue();
        assertThat(watch.beyondRepair()).isEmpty();
    }

    @Test
    void aDeadLoopOfTheNodeIsBeyondRepairAtOnce() {
        dead.close();
        assertThat(watch.beyondRepair()).containsExactly("dead");
        assertThat(watch.check().up()).isFalse();
        assertThat(((Map<?, ?>) watch.check().details().get("dead")).get("alive"))
                .isEqualTo(false);
        assertThat(((Map<?, ?>) watch.check().details().get("running")).get("alive"))
                .isEqualTo(true);
    }

    @Test
    void theProcessEndsIfNobodyRestartsIt() {
        // Both loops are not started, so they are alive, and silent; each look is one of a second.
        dead.close();
        for (int second = 0; second < 59; second++) {
            watch.runOnce();
        }
        assertThat(hopeless).isEmpty();
        watch.runOnce();
        watch.runOnce();
        assertThat(hopeless).containsExactly(List.of("dead"));
    }

    @Test
    void aSilentLoopIsBeyondRepairAfterThreeTimesTheBound() {
        for (int second = 0; second <= 30; second++) {
            assertThat(watch.check().up()).as("second %d", second).isTrue();
            watch.runOnce();
        }
        assertThat(watch.check().up()).isFalse();
        for (int second = 31; second <= 90; second++) {
            assertThat(watch.beyondRepair()).as("second %d", second).isEmpty();
            watch.runOnce();
        }
        assertThat(watch.beyondRepair()).containsExactly("dead", "running");
    }

    private static LoopRunner loop(String name) {
        return new LoopRunner(name, () -> Duration.ofDays(1), new Backoff(Duration.ZERO, Duration.ZERO));
    }
}
