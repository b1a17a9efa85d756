package io.mykit.delay.queue.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.NotOwnedException;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.memory.MemoryQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class BucketScannerTest {
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<String> found = new ArrayList<>();
    private final AtomicBoolean registryKnowsIt = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(2, () -> found.add("fenced"), registryKnowsIt::get);
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final String id = queue.idIn(0);
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private Handover handover = Handover.NONE;
    private final BucketScanner scanner =
            new BucketScanner(0, queue.index(), term, buckets, new Listener(), () -> handover, 10, IDLE_POLL);

    @Test
    void movesADueMessageAndOffersItsTopic() {
        claim();
        queue.push(id, 400);
        assertThat(scanner.runOnce()).as("until it is due").isEqualTo(Duration.ofMillis(400));
        assertThat(queue.location(id)).isEqualTo(Location.WAITING);
        queue.pass(Duration.ofMillis(400));
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        assertThat(found).containsExactly("ready t");
    }

    @Test
    void takesAFewMessagesAtOnce() {
        claim();
        handover = new Handover(List.of(), 10, LEASE);
        queue.push(id, 0);
        scanner.runOnce();
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        assertThat(found).containsExactly("taken " + id);
    }

    @Test
    void sleepsUntilTheEndOfAHoldAndThenTakesTheMessage() {
        claim();
        handover = new Handover(List.of(), 10, LEASE, PulledTopics.of(Map.of("t", true), false));
        queue.push(id, 0);
        scanner.runOnce();
        assertThat(found).containsExactly("ready t");
        queue.index().holds().handOut(List.of(0), "t", new Portion(1, 1000, true), Duration.ofMillis(700), "receipt");
        assertThat(scanner.runOnce()).isEqualTo(Duration.ofMillis(700));
        queue.pass(Duration.ofMillis(700));
        scanner.runOnce();
        assertThat(found).containsExactly("ready t", "taken " + id);
    }

    @Test
    void sleepsForAPollAtMost() {
        claim();
        queue.push(id, 60_000);
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
        assertThat(scanner.runOnce()).as("a look at the top is enough").isEqualTo(IDLE_POLL);
        queue.pass(Duration.ofSeconds(60));
        scanner.runOnce();
        assertThat(queue.location(id)).isEqualTo(Location.READY);
    }

    @Test
    void aNewBucketIsToBeRestored() {
        scanner.runOnce();
        assertThat(found).containsExactly("lost");
    }

    @Test
    void claimsASuspectBucketAgainAndOffersItsLists() {
        claim();
        queue.push(id, 400);
        scanner.runOnce();
        queue.pass(Duration.ofMillis(400));
        queue.buckets().loseNextAnswer();
        handover = new Handover(List.of(), 10, LEASE);
        assertThatThrownBy(scanner::runOnce).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        scanner.runOnce();
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        assertThat(found).as("and no walk").containsExactly("ready t");
    }

    @Test
    void aBucketThatCameBackOlderIsToBeCompared() {
        claim();
        queue.buckets().restartServer();
        assertThat(scanner.runOnce()).isZero();
        scanner.runOnce();
        assertThat(found).containsExactly("older");
    }

    /** Another loop's call has found that first. */
    @Test
    void aBucketThatAnotherThreadFoundLostIsClaimedAgain() {
        claim();
        Runnable back = queue.buckets().rememberClaim(0);
        queue.buckets().lose(0);
        buckets.settle(Map.of(0, List.of("m")));
        assertThat(buckets.isOwned(0)).isFalse();
        back.run();
        scanner.runOnce();
        assertThat(found).as("another leader may have had it in between").containsExactly("older");
        assertThat(buckets.isOwned(0)).isTrue();
        buckets.abandon(Map.of(0, List.of()));
        scanner.runOnce();
        assertThat(found)
                .as("the comparison is of an earlier claim and begins again")
                .containsExactly("older", "older");
    }

    /** The leader was frozen, say, and Redis was emptied and belongs to its successor. */
    @Test
    void doesNotClaimALostBucketIfTheRegistryForgotTheLeader() {
        claim();
        queue.buckets().lose(0);
        registryKnowsIt.set(false);
        assertThat(scanner.runOnce()).isZero();
        scanner.runOnce();
        assertThat(buckets.isOwned(0)).isFalse();
        assertThat(found).containsExactly("fenced");
        assertThat(term.isActive()).isFalse();
    }

    @Test
    void restsWhenAnotherLeaderHasClaimedTheBucket() {
        claim();
        queue.otherNode().claim(0, 3);
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
        assertThat(found).containsExactly("fenced");
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
    }

    @Test
    void aBucketThatIsLostRightAfterItWasClaimedIsNotAskedWithoutAPause() {
        claim();
        queue.buckets().restartServer();
        assertThat(scanner.runOnce()).isZero();
        // Claim, look at the leases, and again another server answers.
        queue.buckets().beforeNextAnswer(queue.buckets()::restartServer);
        assertThatThrownBy(scanner::runOnce).isInstanceOf(NotOwnedException.class);
        assertThat(scanner.runOnce()).isPositive();
    }

    private void claim() {
        scanner.runOnce();
        buckets.get(0).markRestored();
        found.clear();
    }

    private final class Listener implements ScanListener {
        @Override
        public void ready(int bucket, String topic) {
            found.add("ready " + topic);
        }

        @Override
        public void taken(int bucket, List<DelayMessage> messages, long sinceNanos) {
            messages.forEach(message -> found.add("taken " + message.id()));
        }

        @Override
        public void lost(int bucket) {
            found.add("lost");
        }

        @Override
        public void older(int bucket) {
            found.add("older");
        }
    }
}
