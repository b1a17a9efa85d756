package io.mykit.delay.queue.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.lease.StubIndex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BucketScannerTest {
    private final List<String> heard = new ArrayList<>();
    private final AtomicBoolean registryKnowsIt = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(1, () -> heard.add("fenced"), registryKnowsIt::get);
    private final StubIndex stub = new StubIndex()
            .answer("found", arguments -> ClaimResult.HELD)
            .answer("moveDue", arguments -> new ScanResult(0, Set.of(), List.of(), -1, 0))
            .answer("nextDue", arguments -> -1L)
            .answer("timeMs", arguments -> 0L);
    private final OwnedBuckets buckets = new OwnedBuckets(stub.index(), term);
    private final BucketScanner scanner = new BucketScanner(
            0, stub.index(), term, buckets, new Listener(), () -> Handover.NONE, 10, Duration.ofSeconds(1));

    @Test
    void claimsASuspectBucketAgainAndOffersItsLists() {
        scanner.runOnce();
        buckets.abandon(Map.of(0, List.of()));
        stub.answer("ready", arguments -> Map.of("t", 1L));
        scanner.runOnce();
        assertThat(stub.calls("claim")).isEqualTo(2);
        assertThat(heard).as("and no walk").containsExactly("ready t");
    }

    @Test
    void tellsWhatCameBackOlder() {
        stub.answer("found", arguments -> ClaimResult.OLDER);
        scanner.runOnce();
        assertThat(heard).containsExactly("older");
    }

    /** It was frozen, say, and Redis was emptied and is its successor's. */
    @Test
    void aLeaderThatTheRegistryForgotDoesNotClaimALostBucket() {
        scanner.runOnce();
        lose();
        registryKnowsIt.set(false);
        assertThat(scanner.runOnce()).isZero();
        scanner.runOnce();
        assertThat(stub.calls("claim")).isEqualTo(1);
        assertThat(heard).containsExactly("fenced");
        assertThat(term.isActive()).isFalse();
    }

    @Test
    void aBucketThatIsLostRightAfterItWasClaimedIsNotAskedWithoutAPause() {
        lose();
        assertThat(scanner.runOnce()).isZero();
        assertThatThrownBy(scanner::runOnce).isInstanceOf(BucketLostException.class);
        stub.answer("moveDue", arguments -> new ScanResult(0, Set.of(), List.of(), -1, 0));
        assertThat(scanner.runOnce()).isPositive();
        assertThat(heard).as("another leader may have had it in between").contains("older");
    }

    private void lose() {
        stub.answer("moveDue", arguments -> {
            throw new BucketLostException(0);
        });
        stub.answer("nextDue", arguments -> {
            throw new BucketLostException(0);
        });
    }

    private final class Listener implements ScanListener {
        @Override
        public void ready(int bucket, String topic) {
            heard.add("ready " + topic);
        }

        @Override
        public void taken(int bucket, List<DelayMessage> messages, long sinceNanos) {
            heard.add("taken");
        }

        @Override
        public void lost(int bucket) {
            heard.add("lost");
        }

        @Override
        public void older(int bucket) {
            heard.add("older");
        }
    }
}
