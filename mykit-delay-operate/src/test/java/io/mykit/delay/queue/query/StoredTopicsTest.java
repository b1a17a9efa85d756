package io.mykit.delay.queue.query;

import static io.mykit.delay.common.message.MessageStatus.DELAY;
import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static io.mykit.delay.common.message.MessageStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.common.message.DeadReason;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.Transition;
import io.mykit.delay.queue.topic.TopicPauses;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StoredTopicsTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final TopicPauses pauses =
            new TopicPauses(queue.store().topics(), queue.index(), queue.clock(), List.of(), new SimpleMeterRegistry());
    private final StoredTopics topics = new StoredTopics(
            queue.store(), queue.index().holds(), pauses, topic -> topic.equals("d") ? "console" : "pull");

    @Test
    void pagesGoOverTopicsOfTheIndexAndOfDeadLetters() {
        push("1", "a");
        push("2", "c");
        push("3", "c");
        die("4", "b");
        die("5", "c");
        die("6", "d");

        List<TopicView> first = topics.topics("", "", 2);
        List<TopicView> second = topics.topics("", "b", 2);

        OptionalLong unknown = OptionalLong.empty();
        assertThat(first)
                .containsExactly(
                        new TopicView("a", "pull", 1, 0, 0, 0, unknown, Optional.empty()),
                        new TopicView("b", "pull", 0, 0, 0, 1, unknown, Optional.empty()));
        assertThat(second)
                .containsExactly(
                        new TopicView("c", "pull", 2, 0, 0, 1, unknown, Optional.empty()),
                        new TopicView("d", "console", 0, 0, 0, 1, unknown, Optional.empty()));
        assertThat(topics.topics("c", "", 5)).hasSize(1);
    }

    @Test
    void aTopicWithoutMessagesHasZeros() {
        push("1", "longer");
        assertThat(topics.topic("long"))
                .isEqualTo(new TopicView("long", "pull", 0, 0, 0, 0, OptionalLong.empty(), Optional.empty()));
    }

    @Test
    void pausedTopicsAreListedAlsoWithoutMessages() {
        push("1", "b");
        TopicPause until = pauses.pause("b", Optional.of(Duration.ofMinutes(1)));
        TopicPause forGood = pauses.pause("c", Optional.empty());
        pauses.pause("other", Optional.empty());

        OptionalLong unknown = OptionalLong.empty();
        assertThat(topics.topics("", "a", 2))
                .containsExactly(
                        new TopicView("b", "pull", 1, 0, 0, 0, unknown, Optional.of(until)),
                        new TopicView("c", "pull", 0, 0, 0, 0, unknown, Optional.of(forGood)));
        assertThat(topics.topics("o", "", 5)).extracting(TopicView::topic).containsExactly("other");
        assertThat(topics.topics("", "other", 5)).isEmpty();
        queue.pass(Duration.ofMinutes(1));
        assertThat(topics.topic("b").pause()).isEmpty();
        assertThat(topics.topic("c").pause()).contains(forGood);
    }

    @Test
    void firstMessagesHaveTheirAttempts() {
        push("1", "a");
        assertThat(topics.peek("a", Location.WAITING, 5)).singleElement().satisfies(peeked -> {
            assertThat(peeked.message().id()).isEqualTo("1");
            assertThat(peeked.attempts()).isZero();
        });
        assertThat(topics.peek("a", Location.READY, 5)).isEmpty();
    }

    private void push(String id, String topic) {
        DelayMessage message = insert(id, topic);
        queue.index().schedule(List.of(message));
    }

    private DelayMessage insert(String id, String topic) {
        long nowMs = queue.clock().millis();
        DelayMessage message = MessageBuilder.withId(id)
                .topic(topic)
                .body("b")
                .created(nowMs)
                .delay(1000)
                .build();
        queue.store().insert(List.of(new NewMessage(message, DELAY)));
        return message;
    }

    private void die(String id, String topic) {
        DelayMessage message = insert(id, topic);
        long nowMs = queue.clock().millis();
        queue.store()
                .move(List.of(new Transition(
                        message.id(),
                        0,
                        DELAY,
                        List.of(
                                new Transition.Step(READY, nowMs),
                                new Transition.Step(FAILED, nowMs, "no", DeadReason.REFUSED)),
                        "thread",
                        1)));
    }
}
