package io.mykit.delay.queue.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TermLeasesTest {
    private final List<String> leased = new ArrayList<>();
    private final StubIndex stub = new StubIndex()
            .answer("claim", arguments -> ClaimResult.HELD)
            .answer("leased", this::leased)
            .answer("release", arguments -> leased.removeAll((List<?>) arguments[3]));
    private final TermLeases leases = new TermLeases(stub.index(), new LeaderTerm(1, () -> {}));

    @Test
    void givesBackWhatItDoesNotKnowAfterALostAnswer() {
        take("known");
        leased.add("lost");
        assertThatThrownBy(() -> leases.scan(0, () -> {
                    throw new IndexUnavailableException("no answer", null);
                }))
                .isInstanceOf(IndexUnavailableException.class);
        assertThat(leases.isSuspect(0)).isTrue();
        leases.claim(0);
        assertThat(leases.isSuspect(0)).isFalse();
        assertThat(leased).containsExactly("known");
        leases.end(0, List.of("known"), () -> {});
        leases.claim(0);
        assertThat(leased).isEmpty();
    }

    @Test
    void findsTheUnknownBehindManyKnown() {
        for (int i = 0; i < 2500; i++) {
            take("known" + i);
        }
        leased.add("lost");
        leases.claim(0);
        assertThat(leased).hasSize(2500).doesNotContain("lost");
    }

    @Test
    void aCallThatFailsLeavesTheMessageToTheNextClaim() {
        take("m");
        assertThatThrownBy(() -> leases.end(0, List.of("m"), () -> {
                    throw new IndexUnavailableException("no answer", null);
                }))
                .isInstanceOf(IndexUnavailableException.class);
        assertThat(leases.isSuspect(0)).isTrue();
        leases.claim(0);
        assertThat(leased).isEmpty();
    }

    @Test
    void aBatchThatIsAbandonedGoesBack() {
        take("m");
        leases.abandon(0, Set.of("m"));
        assertThat(leases.isSuspect(0)).isTrue();
        leases.claim(0);
        assertThat(leased).isEmpty();
    }

    /** An answer may be on its way that brings what the claim would find as unknown. */
    @Test
    void aClaimWaitsForCallsUnderWay() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        CompletableFuture<?> taking = CompletableFuture.runAsync(() -> leases.take(List.of(0), () -> {
            asked.countDown();
            await(answered);
            leased.add("m");
            return List.of(Take.of(0, List.of(message("m")), false));
        }));
        assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<?> claiming = CompletableFuture.runAsync(() -> leases.claim(0));
        assertThat(stub.calls("claim")).isZero();
        answered.countDown();
        taking.get(10, TimeUnit.SECONDS);
        claiming.get(10, TimeUnit.SECONDS);
        assertThat(leased).containsExactly("m");
    }

    @Test
    void staysSuspectIfTheClaimFails() {
        leases.abandon(0, List.of());
        stub.answer("leased", arguments -> {
            throw new IndexUnavailableException("no answer", null);
        });
        assertThatThrownBy(() -> leases.claim(0)).isInstanceOf(IndexUnavailableException.class);
        assertThat(leases.isSuspect(0)).isTrue();
    }

    @Test
    void remembersThatABucketCameBackOlderUntilItIsCompared() {
        stub.answer("claim", arguments -> ClaimResult.OLDER);
        assertThat(leases.claim(0)).isEqualTo(ClaimResult.OLDER);
        assertThat(leases.isOlder(0)).isTrue();
        leases.compared(0);
        assertThat(leases.isOlder(0)).isFalse();
    }

    private void take(String id) {
        leased.add(id);
        leases.scan(0, () -> new ScanResult(1, Set.of(), List.of(message(id)), -1, 0));
    }

    /** As {@code leased(bucket, deadlineMs, skip, limit)}. */
    private Object leased(Object[] arguments) {
        List<String> page = leased.stream()
                .skip((int) arguments[2])
                .limit((int) arguments[3])
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
