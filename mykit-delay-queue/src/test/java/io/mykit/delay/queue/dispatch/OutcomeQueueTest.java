package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.lifecycle.Threads;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OutcomeQueueTest {
    private final OutcomeQueue waiting = new OutcomeQueue(2);

    @Test
    void comesOutInTheOrderItWentIn() throws Exception {
        BatchOutcomes first = outcomes();
        BatchOutcomes second = outcomes();
        waiting.put("a", first);
        waiting.put("b", second);
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(waiting.poll()).isSameAs(first);
        assertThat(waiting.poll()).isSameAs(second);
        assertThat(waiting.poll()).isNull();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    @Timeout(20)
    void aTopicWaitsForItsOwnAndForNobodyElses() throws Exception {
        waiting.put("busy", outcomes());
        waiting.put("busy", outcomes());
        BatchOutcomes third = outcomes();
        Thread busy = Threads.daemon("busy", () -> {
            try {
                waiting.put("busy", third);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        busy.start();
        while (busy.getState() != Thread.State.WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }

        BatchOutcomes other = outcomes();
        waiting.put("other", other);
        assertThat(busy.getState()).isEqualTo(Thread.State.WAITING);
        waiting.poll();
        busy.join(10_000);
        waiting.poll();
        assertThat(waiting.poll()).isSameAs(other);
        assertThat(waiting.poll()).isSameAs(third);
    }

    private static BatchOutcomes outcomes() {
        return new BatchOutcomes(0, new Gate.Passage(true, Map.of(), List.of(), List.of(), List.of(), List.of()));
    }
}
