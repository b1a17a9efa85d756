package io.mykit.delay.controller.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.health.HealthCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class HealthBoardTest {
    @Test
    void asksAnImmediateCheckOnTheThreadOfTheCaller() {
        AtomicReference<Thread> asked = new AtomicReference<>();
        HealthBoard board = new HealthBoard(List.of(new Loops(asked)), Duration.ZERO);

        CompletableFuture<Map<String, Health>> answer = board.ask(name -> true);

        assertThat(answer).isCompleted();
        assertThat(answer.join().get("loops").up()).isTrue();
        assertThat(asked).hasValue(Thread.currentThread());
        board.close();
    }

    private record Loops(AtomicReference<Thread> asked) implements HealthCheck {
        @Override
        public String name() {
            return "loops";
        }

        @Override
        public Health check() {
            asked.set(Thread.currentThread());
            return new Health(true, Map.of());
        }

        @Override
        public boolean isImmediate() {
            return true;
        }
    }
}
