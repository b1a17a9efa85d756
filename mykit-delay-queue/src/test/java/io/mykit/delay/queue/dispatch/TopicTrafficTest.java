package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.test.message.MessageBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TopicTrafficTest {
    private static final int MAX_IN_FLIGHT = 3;
    private static final int MAX_HANDED = 3;
    private static final Verdict UNAVAILABLE = Verdict.unavailable("broker away");

    private static final BodyBudget HANDED = new BodyBudget(Long.MAX_VALUE / 2);

    private final List<Long> waits = new ArrayList<>();
    private long nowNanos;
    private final TopicTraffic traffic =
            new TopicTraffic(MAX_IN_FLIGHT, MAX_HANDED, UnlimitedRoom.INSTANCE, HANDED, () -> nowNanos, this::park);

    private void park(long nanos) {
        waits.add(nanos);
        nowNanos += nanos;
    }

    @Test
    void oneBatchTakesFromAllReadyBuckets() {
        traffic.offer(1);
        traffic.offer(3);
        traffic.offer(1);
        assertThat(collected().buckets()).containsExactly(1, 3);
        assertThat(traffic.next()).isNull();
    }

    @Test
    void nextBatchBeginsWhenTheLastIsCompleteAndNotWhenItIsSent() {
        traffic.offer(1);
        Claim first = collected();
        traffic.offer(1);
        assertThat(traffic.next()).isNull();
        traffic.complete(first, 0);
        assertThat(collected().buckets()).containsExactly(1);
        assertThat(traffic.isIdle()).isFalse();
    }

    @Test
    void endOfABatchCompletesItOnce() {
        traffic.offer(1);
        Claim first = collected();
        traffic.complete(first, 0);
        traffic.offer(2);
        Claim second = collected();
        traffic.ended(first, Verdict.USABLE);
        traffic.offer(3);
        assertThat(traffic.next()).isNull();
        traffic.ended(second, Verdict.USABLE);
        assertThat(collected().buckets()).containsExactly(3);
    }

    @Test
    void deepBucketsAreWorkedOneByOneAndSideBySide() {
        for (int bucket = 0; bucket < 4; bucket++) {
            traffic.offer(bucket);
            traffic.offerMore(bucket);
        }
        Claim first = collected();
        assertThat(first.buckets()).containsExactly(0);
        assertThat(collected().buckets()).containsExactly(1);
        assertThat(collected().buckets()).containsExactly(2);
        assertThat(traffic.next()).isNull();
        traffic.ended(first, Verdict.USABLE);
        assertThat(collected().buckets()).containsExactly(3);
    }

    @Test
    void backlogInOneBucketHoldsUpNoOther() {
        traffic.offerMore(0);
        traffic.offer(1);
        Claim first = collected();
        assertThat(first.buckets()).containsExactly(1);
        assertThat(collected().buckets()).containsExactly(0);
        traffic.complete(first, 0);
        traffic.offerMore(0);
        assertThat(traffic.takesMore()).isFalse();
        traffic.hand(List.of(leased("a")));
        assertThat(ids(traffic.next())).containsExactly("a");
    }

    @Test
    void largeBodiesDoNotWaitHereWithoutBound() {
        assertThat(traffic.hand(List.of(leased("a", "b".repeat(3 << 20))))).isEmpty();
        assertThat(traffic.takesMore()).isTrue();
        assertThat(traffic.hand(List.of(leased("b", "b".repeat(1 << 20))))).isEmpty();
        assertThat(traffic.takesMore()).isFalse();
        assertThat(ids(traffic.next())).hasSize(2);
        assertThat(traffic.takesMore()).isTrue();
    }

    @Test
    void oneBatchProbesAfterAFailure() {
        traffic.offer(1);
        traffic.offer(2);
        Claim failing = collected();
        assertThat(failing.isProbe()).isFalse();
        assertThat(traffic.ended(failing, UNAVAILABLE).failures()).isEqualTo(1);
        assertThat(traffic.next()).isNull();
        traffic.resume();
        Claim probe = collected();
        assertThat(probe.isProbe()).isTrue();
        assertThat(probe.buckets()).containsExactly(1);
        traffic.complete(probe, 0);
        assertThat(traffic.next()).isNull();
        assertThat(traffic.ended(probe, Verdict.USABLE)).isNull();
        Claim next = collected();
        assertThat(next.isProbe()).isFalse();
        assertThat(next.buckets()).containsExactly(2);
    }

    @Test
    void topicIsStillProbedAfterABatchThatTellsNothing() {
        traffic.offer(1);
        traffic.offer(2);
        traffic.ended(collected(), UNAVAILABLE);
        traffic.resume();
        traffic.ended(collected(), Verdict.UNKNOWN);
        assertThat(collected().isProbe()).isTrue();
    }

    @Test
    void batchesThatFailTogetherCountOnce() {
        traffic.offerMore(1);
        traffic.offerMore(2);
        Claim first = collected();
        Claim second = collected();
        assertThat(traffic.ended(first, UNAVAILABLE).failures()).isEqualTo(1);
        assertThat(traffic.ended(second, UNAVAILABLE)).isNull();
        traffic.resume();
        assertThat(traffic.ended(collected(), UNAVAILABLE).failures()).isEqualTo(2);
    }

    @Test
    void handedMessagesGoWithTheNextBatch() {
        assertThat(traffic.hand(List.of(leased("a")))).isEmpty();
        assertThat(traffic.takesMore()).isTrue();
        assertThat(traffic.hand(List.of(leased("b"), leased("c")))).isEmpty();
        assertThat(traffic.takesMore()).isFalse();
        traffic.offer(2);
        Claim batch = traffic.next();
        assertThat(ids(batch)).containsExactly("a", "b", "c");
        assertThat(batch.buckets()).containsExactly(2);
        assertThat(traffic.takesMore()).isTrue();
        traffic.ended(batch, Verdict.USABLE);
        assertThat(traffic.isIdle()).isTrue();
    }

    /** A scan of several buckets hands over more. */
    @Test
    void aBatchHasItsSizeAtMostAndTheOthersGoWithTheNext() {
        traffic.hand(List.of(leased("a"), leased("b"), leased("c"), leased("d")));
        Claim batch = collected();
        assertThat(batch.handed()).extracting(Leased::id).containsExactly("a", "b", "c");
        assertThat(traffic.takesMore()).isTrue();
        traffic.complete(batch, 3);
        assertThat(ids(traffic.next())).containsExactly("d");
    }

    @Test
    void handedMessagesOfAFailedBatchAreFoundInTheirBucketAfterThePause() {
        traffic.hand(List.of(leased("a")));
        traffic.ended(collected(), UNAVAILABLE);
        traffic.resume();
        assertThat(collected().buckets()).containsExactly(0);
    }

    @Test
    void topicThatBacksOffTakesNothing() {
        traffic.offer(1);
        Claim failing = collected();
        traffic.hand(List.of(leased("a")));
        assertThat(traffic.ended(failing, UNAVAILABLE).recalled())
                .extracting(Leased::id)
                .containsExactly("a");
        assertThat(traffic.takesMore()).isFalse();
        assertThat(traffic.hand(List.of(leased("b")))).hasSize(1);
        traffic.resume();
        assertThat(traffic.takesMore()).isFalse();
    }

    @Test
    void batchWaitsForCompanyWhereMessagesComeThick() {
        traffic.hand(List.of(leased("a"), leased("b"), leased("c")));
        traffic.complete(collected(), 0);
        traffic.hand(List.of(leased("d")));
        Claim waiting = traffic.next();
        traffic.hand(List.of(leased("e")));
        assertThat(ids(waiting)).containsExactly("d", "e");
        assertThat(waits).containsExactly(0L, TimeUnit.MILLISECONDS.toNanos(2));
    }

    @Test
    void messagesThatComeAloneOrToABacklogDoNotWait() {
        traffic.offer(1);
        traffic.ended(collected(), Verdict.USABLE);
        traffic.hand(List.of(leased("a"), leased("b")));
        traffic.ended(collected(), Verdict.USABLE);
        traffic.offer(1);
        traffic.ended(collected(), Verdict.USABLE);
        traffic.hand(List.of(leased("c"), leased("d"), leased("e")));
        traffic.ended(collected(), Verdict.USABLE);
        traffic.offerMore(1);
        collected();
        assertThat(waits).containsExactly(0L, 0L, 0L, 0L);
    }

    private Claim collected() {
        Claim batch = traffic.next();
        batch.collect();
        return batch;
    }

    private static List<String> ids(Claim batch) {
        return batch.collect().stream().map(Leased::id).toList();
    }

    private static Leased leased(String id) {
        return leased(id, "body");
    }

    private static Leased leased(String id, String body) {
        return new Leased(0, MessageBuilder.withId(id).body(body).build(), 0);
    }
}
