package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.lifecycle.Threads;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OutcomeQueueTest {
    private static final long MAX_TEXT = BodyBounds.TOGETHER;
    /** A topic has four places; a turn has two. */
    private final OutcomeQueue waiting = new OutcomeQueue(4, 2, MAX_TEXT);

    @Test
    void aTopicsBatchesLeaveInTheirOrder() throws Exception {
        BatchOutcomes first = outcomes(1);
        BatchOutcomes second = outcomes(1);
        waiting.put("a", first);
        waiting.put("a", second);
        assertThat(waiting.isEmpty()).isFalse();
        assertThat(waiting.poll()).isSameAs(first);
        assertThat(waiting.poll()).isSameAs(second);
        assertThat(waiting.poll()).isNull();
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void topicsTakeTurnsOfAsManyPlaces() throws Exception {
        BatchOutcomes large = outcomes(3);
        BatchOutcomes last = outcomes(1);
        List<BatchOutcomes> small = List.of(outcomes(1), outcomes(1), outcomes(1));
        waiting.put("backlog", large);
        waiting.put("backlog", last);
        for (BatchOutcomes one : small) {
            waiting.put("other", one);
        }
        assertThat(waiting.poll()).isSameAs(large);
        assertThat(waiting.poll()).isSameAs(small.get(0));
        assertThat(waiting.poll()).isSameAs(small.get(1));
        assertThat(waiting.poll()).isSameAs(last);
        assertThat(waiting.poll()).isSameAs(small.get(2));
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    @Timeout(20)
    void aTopicWaitsForItsOwnAndForNobodyElses() throws Exception {
        waiting.put("busy", outcomes(1));
        waiting.put("busy", outcomes(3));
        BatchOutcomes third = outcomes(1);
        Thread busy = waitsToPut("busy", third);

        BatchOutcomes other = outcomes(1);
        waiting.put("other", other);
        assertThat(busy.getState()).isEqualTo(Thread.State.WAITING);
        waiting.poll();
        busy.join(10_000);
        waiting.poll();
        assertThat(waiting.poll()).isSameAs(other);
        assertThat(waiting.poll()).isSameAs(third);
    }

    /** Otherwise thousands of large dead letters of one topic would be in memory at once. */
    @Test
    void longTextsTakeMorePlaces() {
        assertThat(outcomes(3).places()).isEqualTo(3);
        assertThat(dead("dead").places()).isBetween(200, 202);
        BatchOutcomes answered = outcomes(0);
        MessageResult result = new MessageResult("r".repeat(BodyBounds.TOGETHER / 100), false);
        answered.finish(
                leased("answered", ""),
                0,
                new Delivery(Delivery.Kind.DELIVERED, "", Duration.ZERO, Optional.of(result), false));
        assertThat(answered.places()).isBetween(2, 4);
    }

    @Test
    @Timeout(20)
    void theTextsOfAllTopicsTogetherAreBounded() throws Exception {
        BatchOutcomes first = dead("first");
        waiting.put("first", first);
        Thread second = waitsToPut("second", dead("second"));
        waiting.put("third", outcomes(1));
        assertThat(second.getState()).isEqualTo(Thread.State.WAITING);
        assertThat(waiting.poll()).isSameAs(first);
        second.join(10_000);
        assertThat(second.isAlive()).isFalse();
        waiting.poll();
        assertThat(waiting.poll()).isNotNull();
        assertThat(waiting.isEmpty()).isTrue();
    }

    private static BatchOutcomes dead(String id) {
        BatchOutcomes dead = outcomes(0);
        dead.die(leased(id, "b".repeat(BodyBounds.TOGETHER)), DeadReason.REFUSED, 0, 1, "410");
        return dead;
    }

    private Thread waitsToPut(String topic, BatchOutcomes outcomes) throws InterruptedException {
        Thread thread = Threads.daemon(topic, () -> {
            try {
                waiting.put(topic, outcomes);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        return thread;
    }

    private static BatchOutcomes outcomes(int messages) {
        BatchOutcomes outcomes =
                new BatchOutcomes(0, new Gate.Passage(true, Map.of(), List.of(), List.of(), List.of(), List.of()));
        for (int i = 0; i < messages; i++) {
            outcomes.finish(leased("id" + i, ""), 0, Delivery.DELIVERED);
        }
        return outcomes;
    }

    private static Leased leased(String id, String body) {
        return new Leased(0, MessageBuilder.withId(id).body(body).build(), 0);
    }
}
