package io.mykit.delay.queue.duty;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SilencesTest {
    private static final int BOUND = 6;
    private static final Backoff NO_PAUSE = new Backoff(Duration.ZERO, Duration.ZERO);

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final Part part = new Part();
    private final Silences silences = new Silences(BOUND, List.of(part));
    /** Its first round lasts as long as the test wants. */
    private final LoopRunner stuck = new LoopRunner("stuck", this::round, NO_PAUSE);

    private Duration round() throws InterruptedException {
        begun.countDown();
        mayEnd.await();
        return Duration.ofDays(1);
    }

    @AfterEach
    void end() {
        mayEnd.countDown();
        stuck.close();
    }

    @Test
    void aLoopThatGivesNoSignOfLifeInManyLooksDoesNotRun() throws InterruptedException {
        start();
        look(BOUND);
        assertThat(silences.runs(stuck)).isTrue();
        look(1);
        assertThat(silences.runs(stuck)).isFalse();
        assertThat(silences.looks(stuck)).isEqualTo(BOUND);
        long ticks = stuck.ticks();
        mayEnd.countDown();
        while (stuck.ticks() == ticks) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        look(1);
        assertThat(silences.runs(stuck)).as("its round has ended").isTrue();
    }

    @Test
    void aLoopThatMayWaitForAPartRuns() throws InterruptedException {
        start();
        part.up = false;
        look(3 * BOUND);
        assertThat(silences.runs(stuck)).isTrue();
        part.up = true;
        look(BOUND - 1);
        assertThat(silences.runs(stuck))
                .as("it has the whole time after the outage")
                .isTrue();
        look(BOUND);
        assertThat(silences.runs(stuck)).isFalse();
    }

    @Test
    void partsAreNotAskedWhileAllLoopsRun() throws InterruptedException {
        start();
        look(BOUND / 3);
        assertThat(part.asked).isZero();
        look(1);
        assertThat(part.asked).isPositive();
    }

    @Test
    void aDeadThreadDoesNotRunWhateverThePartsDo() {
        part.up = false;
        assertThat(silences.runs(stuck)).as("not started").isTrue();
        stuck.close();
        assertThat(silences.runs(stuck)).isFalse();
        look(BOUND + 1);
        assertThat(silences.looks(stuck)).isEqualTo(BOUND);
    }

    private void start() throws InterruptedException {
        stuck.start();
        begun.await();
    }

    private void look(int times) {
        for (int i = 0; i < times; i++) {
            silences.look(List.of(stuck));
        }
    }

    private static final class Part implements HealthCheck {
        private boolean up = true;
        private int asked;

        @Override
        public String name() {
            return "store";
        }

        @Override
        public Health check() {
            asked++;
            return new Health(up, Map.of());
        }
    }
}
