package io.mykit.delay.queue.scan;

import static java.util.stream.Collectors.joining;
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
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ScanLoopTest {
    private static final Duration IDLE_POLL = Duration.ofSeconds(1);
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final List<String> found = new ArrayList<>();
    private final AtomicBoolean registryKnowsIt = new AtomicBoolean(true);
    private final LeaderTerm term = new LeaderTerm(2, () -> found.add("fenced"), registryKnowsIt::get);
    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final String id = queue.idIn(0);
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1000);
    private Handover handover = Handover.NONE;
    private Duration pause = Duration.ZERO;
    private ScanLoop scanner = loop(List.of(0));

    @Test
    void movesADueMessageAndOffersItsTopic() {
        claim();
        queue.push(id, 400);
        assertThat(look()).as("until it is due").isEqualTo(Duration.ofMillis(400));
        assertThat(queue.location(id)).isEqualTo(Location.WAITING);
        pass(Duration.ofMillis(400));
        assertThat(look()).isEqualTo(IDLE_POLL);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        assertThat(found).containsExactly("ready t");
    }

    @Test
    void takesAFewMessagesAtOnce() {
        claim();
        handover = new Handover(List.of(), 10, LEASE);
        queue.push(id, 0);
        look();
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        assertThat(found).containsExactly("taken " + id);
    }

    @Test
    void sleepsUntilTheEndOfAHoldAndThenTakesTheMessage() {
        claim();
        handover = new Handover(List.of(), 10, LEASE, PulledTopics.of(Map.of("t", true), false));
        queue.push(id, 0);
        look();
        assertThat(found).containsExactly("ready t");
        queue.index().holds().handOut(List.of(0), "t", new Portion(1, 1000, true), Duration.ofMillis(700), "receipt");
        assertThat(look()).isEqualTo(Duration.ofMillis(700));
        pass(Duration.ofMillis(700));
        look();
        assertThat(found).containsExactly("ready t", "taken " + id);
    }

    @Test
    void sleepsForAPollAtMost() {
        claim();
        queue.push(id, 60_000);
        assertThat(look()).isEqualTo(IDLE_POLL);
        assertThat(look()).as("a look at the top is enough").isEqualTo(IDLE_POLL);
        pass(Duration.ofSeconds(60));
        look();
        assertThat(queue.location(id)).isEqualTo(Location.READY);
    }

    @Test
    void aNewBucketIsToBeRestored() {
        look();
        assertThat(found).containsExactly("lost");
    }

    @Test
    void claimsASuspectBucketAgainAndOffersItsLists() {
        claim();
        queue.push(id, 400);
        look();
        pass(Duration.ofMillis(400));
        queue.buckets().loseNextAnswer();
        handover = new Handover(List.of(), 10, LEASE);
        assertThatThrownBy(this::look).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        look();
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        assertThat(found).as("and no walk").containsExactly("ready t");
    }

    /** Nobody else would offer what the claim found. */
    @Test
    void claimsAgainIfTheAnswerWithTheReadyListsWasLost() {
        claim();
        queue.push(id, 0);
        look();
        assertThat(found).containsExactly("ready t");
        buckets.abandon(Map.of(0, List.of()));
        // The claim and the leases are answered.
        queue.buckets().beforeNextAnswer(() -> queue.buckets().beforeNextAnswer(queue.buckets()::loseNextAnswer));
        assertThatThrownBy(this::look).isInstanceOf(IndexUnavailableException.class);
        assertThat(found).containsExactly("ready t");
        look();
        assertThat(found).containsExactly("ready t", "ready t");
    }

    @Test
    void aBucketThatCameBackOlderIsToBeCompared() {
        claim();
        queue.buckets().restartServer();
        assertThat(look()).isZero();
        look();
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
        look();
        assertThat(found).as("another leader may have had it in between").containsExactly("older");
        assertThat(buckets.isOwned(0)).isTrue();
        buckets.abandon(Map.of(0, List.of()));
        look();
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
        assertThat(look()).isZero();
        look();
        assertThat(buckets.isOwned(0)).isFalse();
        assertThat(found).containsExactly("fenced");
        assertThat(term.isActive()).isFalse();
    }

    @Test
    void restsWhenAnotherLeaderHasClaimedTheBucket() {
        claim();
        queue.otherNode().claim(0, 3);
        assertThat(look()).isEqualTo(IDLE_POLL);
        assertThat(found).containsExactly("fenced");
        assertThat(look()).isEqualTo(IDLE_POLL);
    }

    @Test
    void aBucketThatIsLostRightAfterItWasClaimedIsNotAskedWithoutAPause() {
        claim();
        queue.buckets().restartServer();
        assertThat(look()).isZero();
        // Claim, look at the leases, and again another server answers.
        queue.buckets().beforeNextAnswer(queue.buckets()::restartServer);
        assertThatThrownBy(this::look).isInstanceOf(NotOwnedException.class);
        assertThat(look()).isPositive();
    }

    @Test
    void claimsItsBucketsOneAfterTheOther() {
        scanner = loop(List.of(0, 1, 2));
        assertThat(scanner.runOnce()).isZero();
        assertThat(buckets).hasSize(1);
        assertThat(scanner.runOnce()).isZero();
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
        assertThat(buckets).hasSize(3);
    }

    @Test
    void handsOverWhatItTookInSeveralBucketsAtOnce() {
        claimAll(0, 1, 2);
        handover = new Handover(List.of(), 10, LEASE);
        String other = queue.idIn(2);
        queue.push(id, 300);
        queue.push(other, 300);
        wake(0, 2);
        assertThat(scanner.runOnce()).isEqualTo(Duration.ofMillis(300));
        pass(Duration.ofMillis(300));
        scanner.runOnce();
        assertThat(found).containsExactly("taken " + id + " " + other);
    }

    @Test
    void sleepsUntilTheFirstDueTimeOfAllBuckets() {
        claimAll(0, 1);
        queue.push(id, 700);
        queue.push(queue.idIn(1), 400);
        wake(0, 1);
        assertThat(scanner.runOnce()).isEqualTo(Duration.ofMillis(400));
        pass(Duration.ofMillis(400));
        assertThat(scanner.runOnce()).isEqualTo(Duration.ofMillis(300));
        assertThat(found).containsExactly("ready t");
    }

    @Test
    void looksOnlyAtTheBucketsWhoseTimeHasCome() {
        claimAll(0, 1);
        queue.push(id, 0);
        queue.push(queue.idIn(1), 0);
        wake(1);
        scanner.runOnce();
        assertThat(queue.location(id)).isEqualTo(Location.WAITING);
        assertThat(found).containsExactly("ready t");
    }

    @Test
    void quietBucketsArePolledTogether() {
        claimAll(0, 1);
        pass(IDLE_POLL.dividedBy(2).plusMillis(1));
        wake(1);
        assertThat(scanner.runOnce()).isEqualTo(IDLE_POLL);
    }

    @Test
    void aBucketThatFailsHoldsUpNoOther() {
        claimAll(0, 1);
        queue.push(id, 0);
        queue.buckets().silence(1);
        wake(0, 1);
        assertThat(scanner.runOnce()).isPositive();
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        queue.buckets().silence();
        pass(IDLE_POLL);
        queue.push(queue.idIn(1), 0);
        scanner.runOnce();
        assertThat(found).containsExactly("ready t", "ready t");
    }

    @Test
    void failsIfAllBucketsFail() {
        claimAll(0, 1);
        queue.buckets().silence(0, 1);
        wake(0, 1);
        assertThatThrownBy(scanner::runOnce).isInstanceOf(IndexUnavailableException.class);
        assertThat(scanner.runOnce()).isPositive();
    }

    @Test
    void messagesThatFallDueOftenShareARound() {
        pause = Duration.ofMillis(20);
        claimAll(0, 1);
        queue.idsIn(0, 200).forEach(this::fallsDue);
        String next = queue.idIn(1);
        queue.push(next, 0);
        wake(1);
        assertThat(scanner.runOnce()).isEqualTo(pause);
        assertThat(queue.location(next)).isEqualTo(Location.WAITING);
        pass(pause);
        scanner.runOnce();
        assertThat(queue.location(next)).isEqualTo(Location.READY);
    }

    private void fallsDue(String each) {
        pass(pause);
        queue.push(each, 0);
        wake(0);
        scanner.runOnce();
        assertThat(queue.location(each)).isEqualTo(Location.READY);
    }

    private void claim() {
        claimAll(0);
    }

    private void claimAll(Integer... some) {
        scanner = loop(List.of(some));
        for (int bucket : some) {
            scanner.runOnce();
            buckets.get(bucket).markRestored();
        }
        found.clear();
    }

    /** Looks at bucket 0, whether its time has come or not. */
    private Duration look() {
        wake(0);
        return scanner.runOnce();
    }

    private void wake(Integer... some) {
        List.of(some).forEach(scanner::wake);
    }

    /** Both clocks go on. */
    private void pass(Duration time) {
        queue.pass(time);
        nanos.addAndGet(time.toNanos());
    }

    private ScanLoop loop(List<Integer> group) {
        return new ScanLoop(
                group,
                queue.index(),
                term,
                buckets,
                new Listener(),
                () -> handover,
                System::nanoTime,
                new ScanSettings(10, IDLE_POLL, pause),
                nanos::get);
    }

    private final class Listener implements ScanListener {
        @Override
        public void ready(int bucket, String topic) {
            found.add("ready " + topic);
        }

        @Override
        public void taken(Map<Integer, List<DelayMessage>> messages, PulledTopics pulled, long sinceNanos) {
            found.add("taken "
                    + messages.values().stream()
                            .flatMap(List::stream)
                            .map(DelayMessage::id)
                            .collect(joining(" ")));
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
