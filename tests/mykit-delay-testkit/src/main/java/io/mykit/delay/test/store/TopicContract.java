package io.mykit.delay.test.store;

import static io.mykit.delay.test.store.StoreFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.TopicPause;
import java.util.List;
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
