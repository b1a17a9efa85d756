package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the scanners learn of topics of which they may take nothing. */
class TopicsTest {
    private static final int MOST = 100;

    private final Map<String, TopicPause> pauses = new TreeMap<>();
    private final DifferingTopics differing = new DifferingTopics(Map.of("pulled", "pull"), "rocketmq", true);
    private final Later later = new Later();
    private final Topics topics = new Topics(
            new LeaderTerm(1, () -> {}),
            new RestingTopics(new Pauses(), differing, Pulled.of(PulledTopics.of(Map.of("pulled", true), false))),
            topic -> new TopicTraffic(
                    4, 10, UnlimitedRoom.INSTANCE, new BodyBudget(1_000), System::nanoTime, nanos -> {}),
            this::fail,
            later);

    @AfterEach
    void close() {
        later.close();
    }

    @Test
    void theNamesOfAFewBusyTopicsAreKnown() {
        backOff(MOST - 1);
        pause("paused");
        pause("pulled");
        assertThat(topics.names(MOST).orElseThrow()).hasSize(MOST).contains("paused", "t0", "t98");
        assertThat(topics.names(MOST - 1)).isEmpty();
    }

    @Test
    void manyBusyTopicsAreAskedForOneByOne() {
        backOff(20_000);
        assertThat(topics.names(MOST)).isEmpty();
        assertThat(topics.contains("t19999")).isTrue();
        assertThat(topics.contains("idle")).isFalse();
    }

    @Test
    void manyPausedTopicsAreAskedForOneByOne() {
        IntStream.rangeClosed(0, MOST).forEach(i -> pause("p" + i));
        assertThat(topics.names(MOST)).isEmpty();
        assertThat(topics.contains("p100")).isTrue();
        assertThat(topics.contains("idle")).isFalse();
    }

    @Test
    void topicsOfAnotherChannelElsewhereRest() {
        differing.see(Map.of("b", Map.of("newt", "pull", "pulled", "rocketmq")));
        assertThat(topics.names(MOST).orElseThrow()).containsExactly("newt");
        assertThat(topics.contains("newt")).isTrue();
        assertThat(topics.contains("pulled")).isFalse();
        differing.see(Map.of("b", Map.of("shop/*", "pull")));
        assertThat(topics.names(MOST)).as("the names are not known").isEmpty();
        assertThat(topics.contains("shop/orders")).isTrue();
        assertThat(topics.contains("newt")).isFalse();
        assertThat(topics.hand("shop/orders", List.of())).isEmpty();
    }

    @Test
    void aTopicThatIsDeliveredAgainIsNotBusy() {
        backOff(1);
        assertThat(topics.contains("t0")).isTrue();
        topics.change("t0", TopicTraffic::resume);
        assertThat(topics.contains("t0")).as("while it is probed").isTrue();
        topics.change("t0", traffic -> traffic.late(System.nanoTime(), Verdict.USABLE));
        assertThat(topics.contains("t0")).isFalse();
        assertThat(topics.names(MOST).orElseThrow()).isEmpty();
    }

    private void backOff(int count) {
        IntStream.range(0, count).forEach(i -> topics.change("t" + i, traffic -> traffic.offer(0)));
    }

    private void fail(String topic, Claim batch) {
        if (!batch.isProbe()) {
            topics.change(topic, traffic -> traffic.ended(batch, Verdict.unavailable("the broker is away")));
        }
    }

    private void pause(String topic) {
        pauses.put(topic, new TopicPause(topic, TopicPause.UNTIL_RESUMED));
    }

    private final class Pauses implements PausedTopics {
        @Override
        public Optional<TopicPause> find(String topic) {
            return Optional.ofNullable(pauses.get(topic));
        }

        @Override
        public List<TopicPause> all() {
            return List.copyOf(pauses.values());
        }

        @Override
        public int most() {
            return pauses.size();
        }

        @Override
        public void onChange(Consumer<String> listener) {
            throw new UnsupportedOperationException();
        }
    }
}
