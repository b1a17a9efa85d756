package io.mykit.delay.test.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.SharedLimits;
import io.mykit.delay.queue.bucket.SharedLimits.RateOrder;
import io.mykit.delay.queue.bucket.SharedLimits.RateShare;
import io.mykit.delay.queue.bucket.SharedLimits.TopicOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rates and topics that all nodes share. */
interface LimitsContract extends IndexUnderTest {
    /** Longer than any pause of a machine, so that a test does not depend on its speed. */
    int LONG_DEBT = 1000;

    private static RateShare take(SharedLimits limits, RateOrder order) {
        return limits.take(List.of(order)).get(0).orElseThrow();
    }

    private static boolean admit(SharedLimits limits, String namespace, String topic, int max) {
        return limits.admit(List.of(new TopicOrder(namespace, topic, max)))
                .get(0)
                .orElseThrow();
    }

    @Test
    default void aRateThatRestedHoldsTheItemsOfASecond() {
        SharedLimits limits = index().limits();
        assertThat(take(limits, new RateOrder("token/A/push", 5, 0, 100)).given())
                .isEqualTo(5);
        assertThat(take(limits, new RateOrder("token/B/push", 1_000_000, 0, 100))
                        .given())
                .isEqualTo(100);
        assertThat(take(limits, new RateOrder("token/C/push", 3, 1, 100)).given())
                .as("after a debt")
                .isEqualTo(2);
    }

    @Test
    default void aDebtIsTakenWholeAndAllNodesWaitForIt() {
        SharedLimits limits = index().limits();
        RateShare share = take(limits, new RateOrder("token/A/push", 1, LONG_DEBT + 1, 5));
        assertThat(share.given()).isZero();
        assertThat(share.waitMs()).isBetween(900_000L, 1_001_000L);
        try (MessageIndex other = otherNode()) {
            assertThat(take(other.limits(), new RateOrder("token/A/push", 1, 0, 5))
                            .given())
                    .isZero();
            assertThat(take(other.limits(), new RateOrder("token/A/push", 1_000_000, 0, 5))
                            .waitMs())
                    .as("a higher rate does not end a debt at once")
                    .isPositive();
            assertThat(take(other.limits(), new RateOrder("token/A/pull", 1, 0, 5))
                            .given())
                    .as("another rate")
                    .isEqualTo(1);
        }
    }

    @Test
    default void aDebtIsForgottenBeyondAnHour() {
        RateShare share = take(index().limits(), new RateOrder("token/A/push", 1, 1_000_000_000_000L, 5));
        assertThat(share.waitMs()).isBetween(3_500_000L, 3_601_000L);
    }

    @Test
    default void ordersAreAnsweredInTheirOrder() {
        List<Long> given = index()
                .limits()
                .take(List.of(
                        new RateOrder("namespace/a/push", 2, 0, 10),
                        new RateOrder("namespace/b/push", 4, 0, 10),
                        new RateOrder("namespace/c/push", 3, 0, 10)))
                .stream()
                .map(share -> share.orElseThrow().given())
                .toList();
        assertThat(given).containsExactly(2L, 4L, 3L);
        assertThat(index().limits().take(List.of())).isEmpty();
    }

    @Test
    default void aNamespaceHasPlacesForSomeTopics() {
        SharedLimits limits = index().limits();
        assertThat(admit(limits, "shop", "a", 2)).isTrue();
        assertThat(admit(limits, "shop", "b", 2)).isTrue();
        assertThat(admit(limits, "shop", "c", 2)).isFalse();
        try (MessageIndex other = otherNode()) {
            assertThat(admit(other.limits(), "shop", "c", 2)).isFalse();
            assertThat(admit(other.limits(), "shop", "a", 2)).as("known").isTrue();
            assertThat(admit(other.limits(), "shop", "a", 1))
                    .as("known, and the limit fell")
                    .isTrue();
            assertThat(admit(other.limits(), "sho", "c", 2))
                    .as("another namespace")
                    .isTrue();
            assertThat(admit(other.limits(), "shop", "c", 3))
                    .as("the limit rose")
                    .isTrue();
        }
    }
}
