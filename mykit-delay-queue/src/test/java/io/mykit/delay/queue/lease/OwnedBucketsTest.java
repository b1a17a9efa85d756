package io.mykit.delay.queue.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OwnedBucketsTest {
    private final List<String> leased = new ArrayList<>();
    private final LeaderTerm term = new LeaderTerm(1, () -> {});
    private final StubIndex stub = new StubIndex()
            .answer("found", arguments -> ClaimResult.HELD)
            .answer("leased", this::leased)
            .answer("release", arguments -> leased.removeAll((List<?>) arguments[1]));
    private final OwnedBuckets buckets = new OwnedBuckets(stub.index(), term);

    @Test
    void givesBackWhatItDoesNotKnowAfterALostAnswer() {
        buckets.claim(0);
        take("known");
        leased.add("lost");
        stub.answer("moveDue", arguments -> {
            throw new IndexUnavailableException("no answer", null);
        });
        assertThatThrownBy(() -> buckets.get(0).moveDue(1, Handover.NONE))
                .isInstanceOf(IndexUnavailableException.class);
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(buckets.isSuspect(0)).isFalse();
        assertThat(leased).containsExactly("known");

        buckets.get(0).settle(List.of("known"));
        buckets.claim(0);
        assertThat(leased).isEmpty();
    }

    @Test
    void findsTheUnknownBehindManyKnown() {
        buckets.claim(0);
        for (int i = 0; i < 2500; i++) {
            take("known" + i);
        }
        leased.add("lost");
        buckets.claim(0);
        assertThat(leased).hasSize(2500).doesNotContain("lost");
    }

    @Test
    void aCallThatFailsLeavesTheMessageToTheNextClaim() {
        buckets.claim(0);
        take("m");
        stub.answer("settle", arguments -> {
            throw new IndexUnavailableException("no answer", null);
        });
        buckets.settle(Map.of(0, List.of("m")));
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(leased).isEmpty();
    }

    @Test
    void aBatchThatIsAbandonedGoesBack() {
        buckets.claim(0);
        take("m");
        buckets.abandon(Map.of(0, List.of("m")));
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(leased).isEmpty();
    }

    /** An answer may be on its way that brings what the claim would find as unknown. */
    @Test
    void aClaimWaitsForCallsUnderWay() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        buckets.claim(0);
        stub.answer("take", arguments -> {
            asked.countDown();
            await(answered);
            leased.add("m");
            return List.of(Take.of(0, List.of(message("m")), false));
        });
        CompletableFuture<?> taking =
                CompletableFuture.runAsync(() -> buckets.take(List.of(0), "t", 1, Duration.ofMinutes(1)));
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<?> claiming = CompletableFuture.runAsync(() -> buckets.claim(0));
        assertThat(stub.calls("claim")).isEqualTo(1);
        answered.countDown();
        taking.get(10, TimeUnit.SECONDS);
        claiming.get(10, TimeUnit.SECONDS);
        assertThat(leased).containsExactly("m");
    }

    @Test
    void staysSuspectIfTheClaimFails() {
        buckets.abandon(Map.of(0, List.of()));
        stub.answer("leased", arguments -> {
            throw new IndexUnavailableException("no answer", null);
        });
        assertThatThrownBy(() -> buckets.claim(0)).isInstanceOf(IndexUnavailableException.class);
        assertThat(buckets.isSuspect(0)).isTrue();
    }

    @Test
    void remembersThatABucketCameBackOlderUntilItIsCompared() {
        stub.answer("found", arguments -> ClaimResult.OLDER);
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.OLDER);
        assertThat(buckets.isOlder(0)).isTrue();
        buckets.get(0).markCompared();
        assertThat(buckets.isOlder(0)).isFalse();
    }

    @Test
    void aLostBucketIsNotOwnedUntilItIsClaimedAgain() {
        assertThat(buckets).isEmpty();
        buckets.claim(0);
        stub.answer("unpark", arguments -> {
            throw new BucketLostException(0);
        });
        assertThatThrownBy(() -> buckets.get(0).unpark(List.of("m"))).isInstanceOf(BucketLostException.class);
        assertThat(buckets).isEmpty();
        assertThat(buckets.take(List.of(0), "t", 1, Duration.ofMinutes(1))).isEmpty();
        buckets.settle(Map.of(0, List.of("m")));
        assertThat(stub.calls("take") + stub.calls("settle")).isZero();
        assertThat(term.isActive()).isTrue();
        buckets.claim(0);
        assertThat(buckets).hasSize(1);
    }

    @Test
    void aFencedBucketEndsTheTerm() {
        buckets.claim(0);
        stub.answer("take", arguments -> List.of(Take.failed(0, new FencedException(0, 1, 2))));
        assertThat(buckets.take(List.of(0), "t", 1, Duration.ofMinutes(1))).isEmpty();
        assertThat(term.isActive()).isFalse();
        assertThat(buckets).isEmpty();
    }

    private void take(String id) {
        leased.add(id);
        stub.answer("moveDue", arguments -> new ScanResult(1, Set.of(), List.of(message(id)), -1, 0));
        buckets.get(0).moveDue(1, Handover.NONE);
    }

    /** As {@code leased(deadlineMs, skip, limit)}. */
    private Object leased(Object[] arguments) {
        List<String> page = leased.stream()
                .skip((int) arguments[1])
                .limit((int) arguments[2])
                .toList();
        return page.isEmpty() ? Map.of() : Map.of("t", page);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DelayMessage message(String id) {
        return new DelayMessage(id, "t", "", "", "body", 0, 0, 0, 0, 0);
    }
}
