package io.mykit.delay.queue.pull;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PullDeskTest {
    private final PullDesk desk = new PullDesk(3);

    @Test
    void theConsumerThatCameFirstIsServedFirst() {
        Waiter first = resting("a", "b");
        Waiter second = resting("a");
        assertThat(desk.next("a")).isSameAs(first);
        assertThat(desk.next("a")).isSameAs(second);
        assertThat(desk.next("a")).isNull();
        assertThat(desk.next("b")).isNull();
    }

    @Test
    void aNoticeDuringALookBeginsAnotherLook() {
        Waiter waiter = resting("a");
        desk.next("a");
        desk.next("a");
        assertThat(waiter.endLook(null)).isTrue();
        assertThat(waiter.endLook(null)).isFalse();
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
        Waiter waiter = waiter(topics);
        assertThat(desk.add(waiter)).isTrue();
        waiter.endLook(null);
        return waiter;
    }

    private static Waiter waiter(String... topics) {
        PullOrder order = new PullOrder(List.of(topics), 1, Duration.ofSeconds(30), null, false);
        return new Waiter(order, answer -> {}, ended -> {});
    }
}
