package io.mykit.delay.queue.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.memory.MemoryQueue;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicPausesTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final TopicPauses node = node(queue.index());
    private final TopicPauses other = node(queue.otherNode());
    /** The changes that the other node told its listener. */
    private final Queue<String> told = new ConcurrentLinkedQueue<>();

    private TopicPauses node(MessageIndex index) {
        return new TopicPauses(queue.store().topics(), index, queue.clock(), List.of(), meters);
    }

    @AfterEach
    void close() {
        node.close();
        other.close();
    }

    @Test
    void aPauseIsKnownAtOnceAndOnTheOtherNodesByNotice() {
        other.start();
        other.onChange(topic -> told.add(topic + " " + other.contains(topic)));
        assertThat(node.pause("t", Optional.empty())).isEqualTo(new TopicPause("t", TopicPause.UNTIL_RESUMED));
        assertThat(node.contains("t")).isTrue();
        assertThat(node.contains("u")).isFalse();
        await().atMost(Duration.ofSeconds(3)).until(() -> told.contains("t true"));

        node.resume("t");
        assertThat(node.contains("t")).isFalse();
        await().atMost(Duration.ofSeconds(3)).until(() -> told.contains("t false"));
        assertThat(told).hasSize(2);
    }

    @Test
    void aNodeThatStartsKnowsThePauses() {
        node.pause("t", Optional.of(MINUTE));
        other.start();
        assertThat(other.find("t")).contains(new TopicPause("t", queue.clock().millis() + MINUTE.toMillis()));
    }

    @Test
    void aNodeDoesNotStartWithoutTheStore() {
        queue.store().goAway();
        assertThatThrownBy(other::start).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void theLastKnownStateCountsWhileTheStoreIsAwayAndAPauseEndsByItsTime() {
        node.onChange(told::add);
        node.pause("t", Optional.of(MINUTE));
        node.pause("u", Optional.empty());
        queue.store().goAway();
        assertThatThrownBy(node::runOnce).isInstanceOf(StoreUnavailableException.class);
        assertThat(node.all()).extracting(TopicPause::topic).containsExactly("t", "u");
        told.clear();
        queue.pass(MINUTE);
        assertThatThrownBy(node::runOnce).isInstanceOf(StoreUnavailableException.class);
        assertThat(node.all()).extracting(TopicPause::topic).containsExactly("u");
        assertThat(told).containsExactly("t");
        assertThatThrownBy(() -> node.resume("u")).isInstanceOf(StoreUnavailableException.class);
        assertThat(node.contains("u")).isTrue();
    }

    @Test
    void theLoopSleepsUntilTheNextEnd() {
        assertThat(node.runOnce()).isEqualTo(Duration.ofSeconds(5));
        node.pause("t", Optional.of(Duration.ofSeconds(3)));
        node.pause("u", Optional.empty());
        assertThat(node.runOnce()).isEqualTo(Duration.ofSeconds(3));
        queue.pass(Duration.ofSeconds(3));
        assertThat(node.runOnce()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void anotherPauseReplacesTheEnd() {
        node.onChange(told::add);
        node.pause("t", Optional.of(MINUTE));
        node.pause("t", Optional.of(MINUTE));
        TopicPause last = node.pause("t", Optional.of(MINUTE.multipliedBy(2)));
        assertThat(node.find("t")).contains(last);
        assertThat(told).hasSize(2);
        other.start();
        assertThat(other.find("t")).contains(last);
    }

    @Test
    void aChangeCountsAlthoughTheIndexIsAwayOrAListenerFails() {
        queue.buckets().silence(0, 1, 2, 3);
        node.onChange(topic -> {
            throw new IllegalStateException("a defect");
        });
        node.pause("t", Optional.empty());
        assertThat(node.contains("t")).isTrue();
        assertThat(queue.store().topics().pauses()).hasSize(1);
    }

    @Test
    void anOutcomeInDoubtIsReadSoon() {
        node.start();
        queue.store().loseNextAnswer();
        assertThatThrownBy(() -> node.pause("t", Optional.empty())).isInstanceOf(StoreInDoubtException.class);
        await().atMost(Duration.ofSeconds(3)).until(() -> node.contains("t"));
    }

    @Test
    void operatorsSeeThePausedTopics() {
        assertThat(node.check().details()).isEqualTo(Map.of("paused", 0));
        node.pause("t", Optional.empty());
        assertThat(node.check().up()).isTrue();
        assertThat(node.check().details()).isEqualTo(Map.of("paused", 1, "first", Map.of("t", "until it is resumed")));
        assertThat(meters.get("mykit.delay.topics.paused").gauges()).anyMatch(gauge -> gauge.value() == 1);
    }
}
