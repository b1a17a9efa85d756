package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.store.TopicSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The settings of topics. */
interface TopicContract extends StoreUnderTest {
    @Test
    default void aPauseIsKeptUntilItsTopicIsResumed() {
        TopicPause forGood = new TopicPause("b", TopicPause.UNTIL_RESUMED);
        TopicPause until = new TopicPause("a/" + "x".repeat(191), NOW + 5);
        store().topics().pause(forGood);
        store().topics().pause(until);
        assertThat(store().topics().pauses()).containsExactly(until, forGood);
        try (MessageStore other = open(FlowLog.FULL)) {
            assertThat(other.topics().pauses()).containsExactly(until, forGood);
            other.topics().resume("b");
        }
        assertThat(store().topics().pauses()).containsExactly(until);
    }

    @Test
    default void aPauseGetsANewEndAndATopicIsPausedAgain() {
        store().topics().pause(new TopicPause("t", NOW + 5));
        store().topics().pause(new TopicPause("t", NOW + 9));
        store().topics().pause(new TopicPause("t", NOW + 9));
        assertThat(store().topics().pauses()).containsExactly(new TopicPause("t", NOW + 9));
        store().topics().resume("t");
        store().topics().resume("t");
        store().topics().resume("unknown");
        assertThat(store().topics().pauses()).isEmpty();
        store().topics().pause(new TopicPause("t", TopicPause.UNTIL_RESUMED));
        assertThat(store().topics().pauses()).hasSize(1);
    }

    @Test
    default void namesOfTopicsDifferInTheirCase() {
        for (String topic : List.of("orders", "Orders", "örders")) {
            store().topics().pause(new TopicPause(topic, NOW));
        }
        store().topics().resume("ORDERS");
        store().topics().resume("Orders");
        assertThat(store().topics().pauses())
                .extracting(TopicPause::topic)
                .containsExactlyInAnyOrder("orders", "örders");
    }

    @Test
    default void settingsAreChangedKeyByKey() {
        store().topics().set("b", Map.of("rate", Optional.of("10"), "gaps", Optional.of("1s,2s")));
        store().topics().set("a", Map.of("rate", Optional.of("1"), "ttl", Optional.empty()));
        store().topics().set("b", Map.of("rate", Optional.of("20"), "jitter", Optional.of("0.5")));
        store().topics().set("b", Map.of("gaps", Optional.empty(), "unknown", Optional.empty()));
        List<TopicSetting> all = List.of(
                new TopicSetting("a", "rate", "1"),
                new TopicSetting("b", "jitter", "0.5"),
                new TopicSetting("b", "rate", "20"));
        assertThat(store().topics().settings()).isEqualTo(all);
        try (MessageStore other = open(FlowLog.FULL)) {
            assertThat(other.topics().settings()).isEqualTo(all);
        }
        store().topics().pause(new TopicPause("b", NOW + 5));
        store().topics().set("b", Map.of("rate", Optional.empty(), "jitter", Optional.empty()));
        assertThat(store().topics().settings()).containsExactly(new TopicSetting("a", "rate", "1"));
        assertThat(store().topics().pauses()).hasSize(1);
        store().topics().set("a", Map.of("rate", Optional.empty()));
    }

    @Test
    default void nodesSetATopicAtTheSameTime() {
        CompletableFuture<?>[] changes = IntStream.range(0, 8)
                .mapToObj(i -> CompletableFuture.runAsync(() -> store().topics()
                        .set("set", Map.of("rate", Optional.of("" + i), "concurrency", Optional.of("" + i)))))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(changes).join();
        assertThat(store().topics().settings())
                .hasSize(2)
                .extracting(TopicSetting::value)
                .doesNotContainNull();
        store().topics().set("set", Map.of("rate", Optional.empty(), "concurrency", Optional.empty()));
    }

    @Test
    default void nodesPauseATopicAtTheSameTime() {
        CompletableFuture<?>[] pauses = IntStream.range(0, 8)
                .mapToObj(i ->
                        CompletableFuture.runAsync(() -> store().topics().pause(new TopicPause("together", NOW + i))))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(pauses).join();
        assertThat(store().topics().pauses()).singleElement().satisfies(pause -> assertThat(pause.topic())
                .isEqualTo("together"));
    }
}
