package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.dispatch.TopicTraffic.Claim;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopicTrafficTest {
    private static final int MAX_IN_FLIGHT = 3;
    private static final int MAX_HANDED = 2;

    private long nowNanos;
    private final TopicTraffic traffic = new TopicTraffic("t", MAX_IN_FLIGHT, MAX_HANDED, () -> nowNanos);

    @Test
    void oneBatchTakesFromAllBucketsThatHaveSomething() {
        traffic.offer(1);
        traffic.offer(3);
        traffic.offer(1);
        assertThat(next().buckets()).containsExactly(1, 3);
        assertThat(next()).isNull();
    }

    @Test
    void theNextBatchBeginsWhenTheLastIsGatheredAndNotWhenItIsSent() {
        traffic.offer(1);
        Claim first = next();
        traffic.offer(1);
        assertThat(next()).isNull();
        traffic.gathered(first);
        assertThat(next().buckets()).containsExactly(1);
        assertThat(traffic.isIdle()).isFalse();
    }

    @Test
    void endingABatchEndsItsGatheringOnce() {
        traffic.offer(1);
        Claim first = next();
        traffic.gathered(first);
        traffic.offer(2);
        Claim second = next();
        traffic.end(first);
        traffic.offer(3);
        assertThat(next()).isNull();
        traffic.end(second);
        assertThat(next().buckets()).containsExactly(3);
    }

    @Test
    void deepBucketsAreWorkedOneByOneAndSideBySide() {
        for (int bucket = 0; bucket < 4; bucket++) {
            traffic.offer(bucket);
            traffic.offerMore(bucket);
        }
        Claim first = next();
        assertThat(first.buckets()).containsExactly(0);
        assertThat(next().buckets()).containsExactly(1);
        assertThat(next().buckets()).containsExactly(2);
        assertThat(next()).isNull();
        traffic.end(first);
        assertThat(next().buckets()).containsExactly(3);
    }

    @Test
    void aBacklogInOneBucketHoldsUpNoOther() {
        traffic.offerMore(0);
        traffic.offer(1);
        Claim first = next();
        assertThat(first.buckets()).containsExactly(1);
        assertThat(next().buckets()).containsExactly(0);
        traffic.gathered(first);
        traffic.offerMore(0);
        assertThat(traffic.takesMore()).isFalse();
        traffic.hand(List.of(leased("a")));
        assertThat(next().handed()).extracting(Leased::id).containsExactly("a");
    }

    @Test
    void afterAFailureOneBatchProbes() {
        traffic.offer(1);
        traffic.offer(2);
        Claim failing = next();
        assertThat(failing.isProbe()).isFalse();
        assertThat(traffic.failed(failing)).isEqualTo(1);
        traffic.end(failing);
        assertThat(next()).isNull();
        traffic.resume();
        Claim probe = next();
        assertThat(probe.isProbe()).isTrue();
        assertThat(probe.buckets()).containsExactly(1);
        assertThat(next()).isNull();
        assertThat(traffic.succeeded()).isTrue();
        assertThat(traffic.succeeded()).isFalse();
        traffic.end(probe);
        assertThat(next().buckets()).containsExactly(2);
    }

    @Test
    void batchesThatFailTogetherCountOnce() {
        traffic.offerMore(1);
        traffic.offerMore(2);
        Claim first = next();
        Claim second = next();
        assertThat(traffic.failed(first)).isEqualTo(1);
        assertThat(traffic.failed(second)).isZero();
        traffic.end(first);
        traffic.end(second);
        traffic.resume();
        assertThat(traffic.failed(next())).isEqualTo(2);
    }

    @Test
    void whatWasTakenAlreadyGoesWithTheNextBatch() {
        assertThat(traffic.hand(List.of(leased("a")))).isTrue();
        assertThat(traffic.takesMore()).isTrue();
        assertThat(traffic.hand(List.of(leased("b")))).isTrue();
        assertThat(traffic.takesMore()).isFalse();
        traffic.offer(2);
        Claim claim = next();
        assertThat(claim.handed()).extracting(Leased::id).containsExactly("a", "b");
        assertThat(claim.buckets()).containsExactly(2);
        assertThat(traffic.takesMore()).isTrue();
        traffic.end(claim);
        assertThat(traffic.isIdle()).isTrue();
    }

    @Test
    void aTopicThatBacksOffTakesNothing() {
        traffic.offer(1);
        Claim failing = next();
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

    @Test
    void whereMessagesComeThickTheNextBatchWaitsForCompany() {
        traffic.hand(List.of(leased("a"), leased("b"), leased("c")));
        Claim thick = next();
        traffic.gathered(thick);
        traffic.hand(List.of(leased("d")));
        Claim waiting = traffic.begin();
        assertThat(traffic.gatherNanos(waiting)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(2));
        nowNanos += TimeUnit.MILLISECONDS.toNanos(2);
        assertThat(traffic.gatherNanos(waiting)).isZero();
        traffic.hand(List.of(leased("e")));
        traffic.collect(waiting);
        assertThat(waiting.handed()).extracting(Leased::id).containsExactly("d", "e");
    }

    @Test
    void whatComesAloneOrToABacklogWaitsForNobody() {
        assertThat(gatherNanosOfNext()).isZero();
        traffic.hand(List.of(leased("a"), leased("b")));
        traffic.end(next());
        assertThat(gatherNanosOfNext()).isZero();
        traffic.hand(List.of(leased("c"), leased("d"), leased("e")));
        traffic.end(next());
        traffic.offerMore(1);
        assertThat(traffic.gatherNanos(traffic.begin())).isZero();
    }

    private long gatherNanosOfNext() {
        traffic.offer(1);
        Claim claim = traffic.begin();
        long nanos = traffic.gatherNanos(claim);
        traffic.collect(claim);
        traffic.end(claim);
        return nanos;
    }

    private Claim next() {
        Claim claim = traffic.begin();
        if (claim != null) {
            traffic.collect(claim);
        }
        return claim;
    }

    private static Leased leased(String id) {
        return new Leased(0, new DelayMessage(id, "t", "", "", "body", 0, 0, 0, 0, 0), 0);
    }
}
