package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.dispatch.TopicTraffic.Claim;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopicTrafficTest {
    private static final int MAX_IN_FLIGHT = 3;
    private static final int MAX_HANDED = 2;

    private final TopicTraffic traffic = new TopicTraffic("t", MAX_IN_FLIGHT, MAX_HANDED);

    @Test
    void oneBatchTakesFromAllBucketsThatHaveSomething() {
        traffic.offer(1);
        traffic.offer(3);
        traffic.offer(1);
        assertThat(traffic.begin().buckets()).containsExactly(1, 3);
        assertThat(traffic.begin()).isNull();
    }

    @Test
    void theNextBatchBeginsWhenTheLastIsGatheredAndNotWhenItIsSent() {
        traffic.offer(1);
        Claim first = traffic.begin();
        traffic.offer(1);
        assertThat(traffic.begin()).isNull();
        traffic.gathered(first);
        assertThat(traffic.begin().buckets()).containsExactly(1);
        assertThat(traffic.isIdle()).isFalse();
    }

    @Test
    void endingABatchEndsItsGatheringOnce() {
        traffic.offer(1);
        Claim first = traffic.begin();
        traffic.gathered(first);
        traffic.offer(2);
        Claim second = traffic.begin();
        traffic.end(first);
        traffic.offer(3);
        assertThat(traffic.begin()).isNull();
        traffic.end(second);
        assertThat(traffic.begin().buckets()).containsExactly(3);
    }

    @Test
    void deepBucketsAreWorkedOneByOneAndSideBySide() {
        for (int bucket = 0; bucket < 4; bucket++) {
            traffic.offer(bucket);
            traffic.offerMore(bucket);
        }
        Claim first = traffic.begin();
        assertThat(first.buckets()).containsExactly(0);
        assertThat(traffic.begin().buckets()).containsExactly(1);
        assertThat(traffic.begin().buckets()).containsExactly(2);
        assertThat(traffic.begin()).isNull();
        traffic.end(first);
        assertThat(traffic.begin().buckets()).containsExactly(3);
    }

    @Test
    void aBacklogInOneBucketHoldsUpNoOther() {
        traffic.offerMore(0);
        traffic.offer(1);
        Claim first = traffic.begin();
        assertThat(first.buckets()).containsExactly(1);
        assertThat(traffic.begin().buckets()).containsExactly(0);
        traffic.gathered(first);
        traffic.offerMore(0);
        assertThat(traffic.takesMore()).isFalse();
        traffic.hand(List.of(leased("a")));
        assertThat(traffic.begin().handed()).extracting(Leased::id).containsExactly("a");
    }

    @Test
    void afterAFailureOneBatchProbes() {
        traffic.offer(1);
        traffic.offer(2);
        Claim failing = traffic.begin();
        assertThat(failing.isProbe()).isFalse();
        assertThat(traffic.failed(failing)).isEqualTo(1);
        traffic.end(failing);
        assertThat(traffic.begin()).isNull();
        traffic.resume();
        Claim probe = traffic.begin();
        assertThat(probe.isProbe()).isTrue();
        assertThat(probe.buckets()).containsExactly(1);
        assertThat(traffic.begin()).isNull();
        assertThat(traffic.succeeded()).isTrue();
        assertThat(traffic.succeeded()).isFalse();
        traffic.end(probe);
        assertThat(traffic.begin().buckets()).containsExactly(2);
    }

    @Test
    void batchesThatFailTogetherCountOnce() {
        traffic.offerMore(1);
        traffic.offerMore(2);
        Claim first = traffic.begin();
        Claim second = traffic.begin();
        assertThat(traffic.failed(first)).isEqualTo(1);
        assertThat(traffic.failed(second)).isZero();
        traffic.end(first);
        traffic.end(second);
        traffic.resume();
        assertThat(traffic.failed(traffic.begin())).isEqualTo(2);
    }

    @Test
    void whatWasTakenAlreadyGoesWithTheNextBatch() {
        assertThat(traffic.hand(List.of(leased("a")))).isTrue();
        assertThat(traffic.takesMore()).isTrue();
        assertThat(traffic.hand(List.of(leased("b")))).isTrue();
        assertThat(traffic.takesMore()).isFalse();
        traffic.offer(2);
        Claim claim = traffic.begin();
        assertThat(claim.handed()).extracting(Leased::id).containsExactly("a", "b");
        assertThat(claim.buckets()).containsExactly(2);
        assertThat(traffic.takesMore()).isTrue();
        traffic.end(claim);
        assertThat(traffic.isIdle()).isTrue();
    }

    @Test
    void aTopicThatBacksOffTakesNothing() {
        traffic.offer(1);
        Claim failing = traffic.begin();
        traffic.hand(List.of(leased("a")));
        traffic.failed(failing);
        traffic.end(failing);
        assertThat(traffic.takesMore()).isFalse();
        assertThat(traffic.hand(List.of(leased("b")))).isFalse();
        assertThat(traffic.recall()).extracting(Leased::id).containsExactly("a");
        assertThat(traffic.recall()).isEmpty();
        traffic.resume();
        assertThat(traffic.takesMore()).isFalse();
    }

    private static Leased leased(String id) {
        return new Leased(0, new DelayMessage(id, "t", "", "", "body", 0, 0, 0, 0, 0));
    }
}
