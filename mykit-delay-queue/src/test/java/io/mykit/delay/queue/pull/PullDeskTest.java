package io.mykit.delay.queue.pull;

import static io.mykit.delay.queue.pull.Looks.Where.ALL;
import static io.mykit.delay.queue.pull.Looks.Where.NOTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.consumer.PullOrder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PullDeskTest {
    private final PullDesk desk = new PullDesk(3);

    @Test
    void theConsumersThatRestShareALookInTheOrderInWhichTheyCame() {
        Waiter first = resting("a", "b");
        Waiter second = resting("a");
        assertThat(desk.beginLooks("a", NOTED)).containsExactly(first, second);
        assertThat(desk.beginLooks("a", NOTED)).isEmpty();
        assertThat(desk.beginLooks("b", NOTED)).isEmpty();
    }

    @Test
    void aNoticeDuringALookBeginsAnotherLook() {
        Waiter waiter = resting("a", "b");
        desk.beginLooks("a", NOTED);
        desk.beginLooks("b", NOTED);
        assertThat(waiter.endLook(null)).isTrue();
        assertThat(waiter.endLook(null)).isFalse();
    }

    @Test
    void theFirstConsumerOfATopicNeedsALookAtAllBuckets() {
        Waiter waiter = added("a");
        assertThat(waiter.isNew()).isTrue();
        assertThat(desk.beginLooks("a", NOTED)).isEmpty();
        assertThat(desk.beginLooks("a", ALL)).containsExactly(waiter);
    }

    @Test
    void aConsumerRestsAtOnceIfOthersRestAfterALook() {
        Waiter first = resting("a");
        Waiter second = added("a");
        assertThat(second.isNew()).isFalse();
        assertThat(desk.beginLooks("a", NOTED)).containsExactly(first, second);
    }

    @Test
    void aConsumerNeedsALookIfTheLookForTheOthersFailed() {
        added("a").endLook(new DelayException(ErrorCode.INDEX_UNAVAILABLE, "away"));
        assertThat(desk.withoutLook()).containsExactly("a");
        assertThat(added("a").isNew()).isTrue();
    }

    @Test
    void aConsumerWithoutAnyLookNeedsOne() {
        resting("a");
        added("b");
        assertThat(desk.withoutLook()).containsExactly("b");
    }

    @Test
    void aConsumerThatDoesNotWaitNeedsALook() {
        resting("a");
        Waiter hasty = new Waiter(order(Duration.ZERO, "a"), answer -> {}, ended -> {});
        desk.add(hasty);
        assertThat(hasty.isNew()).isTrue();
    }

    @Test
    void aTopicWithoutConsumersIsForgotten() {
        Waiter first = resting("a", "b");
        Waiter second = resting("a");
        assertThat(desk.remove(first)).containsExactly("b");
        assertThat(desk.waitsFor("b")).isFalse();
        assertThat(desk.remove(second)).containsExactly("a");
        assertThat(desk.remove(second)).isEmpty();
        assertThat(desk.size()).isZero();
    }

    @Test
    void takesNoMoreConsumersThanItsLimit() {
        resting("a");
        resting("a");
        resting("a");
        assertThat(desk.add(waiter("a"))).isFalse();
        assertThat(desk.size()).isEqualTo(3);
    }

    private Waiter resting(String... topics) {
        Waiter waiter = added(topics);
        waiter.endLook(null);
        return waiter;
    }

    private Waiter added(String... topics) {
        Waiter waiter = waiter(topics);
        assertThat(desk.add(waiter)).isTrue();
        return waiter;
    }

    private static Waiter waiter(String... topics) {
        return new Waiter(order(Duration.ofSeconds(30), topics), answer -> {}, ended -> {});
    }

    private static PullOrder order(Duration longestWait, String... topics) {
        return new PullOrder(List.of(topics), 1, longestWait, null, false);
    }
}
