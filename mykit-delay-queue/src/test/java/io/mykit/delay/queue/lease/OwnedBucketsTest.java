package io.mykit.delay.queue.lease;

import static io.mykit.delay.queue.memory.MemoryQueue.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.memory.MemoryQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnedBucketsTest {
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration HOLD = Duration.ofSeconds(10);
    private static final int MANY = 2_500;
    private static final Handover ALL = new Handover(List.of(), MANY, LEASE);

    private final MemoryQueue queue = new MemoryQueue(Duration.ZERO);
    private final LeaderTerm term = new LeaderTerm(2, () -> {});
    private final OwnedBuckets buckets = new OwnedBuckets(queue.index(), term);
    private final AtomicInteger ids = new AtomicInteger();

    @BeforeEach
    void claim() {
        assertThat(buckets).isEmpty();
        buckets.claim(0).markRestored();
        assertThat(buckets).hasSize(1);
    }

    @Test
    void givesBackUnknownLeasesAfterALostAnswer() {
        String known = take();
        String lost = push();
        queue.buckets().loseNextAnswer();
        assertThatThrownBy(() -> buckets.get(0).moveDue(MANY, ALL)).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.location(lost)).isEqualTo(Location.TAKEN);
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(buckets.isSuspect(0)).isFalse();
        assertThat(queue.location(lost)).isEqualTo(Location.READY);
        assertThat(queue.location(known)).isEqualTo(Location.TAKEN);
    }

    @Test
    void findsAnUnknownLeaseBehindManyKnownOnes() {
        for (int i = 0; i < MANY; i++) {
            push();
        }
        assertThat(buckets.get(0).moveDue(MANY, ALL).taken()).hasSize(MANY);
        String lost = push();
        queue.buckets().loseNextAnswer();
        assertThatThrownBy(() -> buckets.get(0).moveDue(MANY, ALL)).isInstanceOf(IndexUnavailableException.class);
        buckets.claim(0);
        assertThat(queue.location(lost)).isEqualTo(Location.READY);
        assertThat(queue.index().census(0).leased()).isEqualTo(MANY);
    }

    @Test
    void leavesAMessageToTheNextClaimIfItCannotBeSettled() {
        String id = take();
        queue.buckets().silence(0);
        buckets.settle(Map.of(0, List.of(id)));
        queue.buckets().silence();
        assertThat(buckets.isSuspect(0)).isTrue();
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        buckets.claim(0);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
    }

    @Test
    void givesBackAnAbandonedBatch() {
        String id = take();
        buckets.abandon(Map.of(0, List.of(id)));
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
    }

    /** An answer on its way may bring a lease that the claim would find as unknown. */
    @Test
    void aClaimWaitsForCallsUnderWay() throws Exception {
        String id = push();
        buckets.get(0).moveDue(1, Handover.NONE);
        CountDownLatch made = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        queue.buckets().beforeNextAnswer(() -> {
            made.countDown();
            await(answered);
        });
        CompletableFuture<?> taking = CompletableFuture.runAsync(() -> buckets.take(List.of(0), TOPIC, 1, LEASE));
        await(made);
        CompletableFuture<?> claiming = CompletableFuture.runAsync(() -> buckets.claim(0));
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
        answered.countDown();
        taking.get(10, TimeUnit.SECONDS);
        claiming.get(10, TimeUnit.SECONDS);
        assertThat(queue.location(id)).as("known, as the answer came first").isEqualTo(Location.TAKEN);
    }

    @Test
    void anErrorAfterATakeMakesTheBucketSuspect() {
        push();
        queue.buckets().beforeNextAnswer(() -> {
            throw new OutOfMemoryError("in a test");
        });
        assertThatThrownBy(() -> buckets.moveDue(List.of(0), MANY, ALL)).isInstanceOf(OutOfMemoryError.class);
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        queue.buckets().beforeNextAnswer(() -> {
            throw new OutOfMemoryError("in a test");
        });
        assertThatThrownBy(() -> buckets.get(0).moveDue(MANY, ALL)).isInstanceOf(OutOfMemoryError.class);
        assertThat(buckets.isSuspect(0)).isTrue();
    }

    /** Otherwise a lease that has ended could be given back when its message has been taken again. */
    @Test
    void nothingIsTakenWhileOneThreadIsAlone() throws Exception {
        String id = take();
        Thread taking = new Thread(() -> buckets.take(List.of(0), TOPIC, 1, LEASE));
        buckets.alone(0, () -> {
            buckets.get(0).release(TOPIC, List.of(id), false);
            taking.start();
            while (taking.isAlive() && taking.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            assertThat(queue.location(id)).isEqualTo(Location.READY);
        });
        taking.join(10_000);
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
    }

    /** The claim knows the lease still and leaves it; so another claim has to follow. */
    @Test
    void aBatchThatIsAbandonedDuringAClaimIsLeftToTheNextClaim() throws Exception {
        String id = take();
        Thread abandoning = new Thread(() -> buckets.abandon(Map.of(0, List.of(id))));
        queue.buckets().beforeNextAnswer(() -> {
            abandoning.start();
            while (abandoning.isAlive() && abandoning.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        });
        buckets.claim(0);
        abandoning.join(10_000);
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
    }

    @Test
    void aBucketStaysSuspectIfItsClaimFails() {
        buckets.abandon(Map.of(0, List.of()));
        queue.buckets().silence(0);
        assertThatThrownBy(() -> buckets.claim(0)).isInstanceOf(IndexUnavailableException.class);
        assertThat(buckets.isSuspect(0)).isTrue();
    }

    @Test
    void remembersThatABucketCameBackOlderUntilItIsCompared() {
        queue.buckets().restartServer();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.OLDER);
        assertThat(buckets.isOlder(0)).isTrue();
        buckets.compared(0, buckets.claims(0));
        assertThat(buckets.drained(0, buckets.claims(0))).isTrue();
        assertThat(buckets.isOlder(0)).isFalse();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
    }

    /** Otherwise deliveries would pass without a look at the rows, while Redis has messages that have ended. */
    @Test
    void aWalkDoesNotMarkABucketThatWasClaimedAgainSinceItBegan() {
        queue.buckets().restartServer();
        buckets.claim(0);
        int begin = buckets.claims(0);
        queue.buckets().restartServer();
        buckets.claim(0);
        assertThatThrownBy(() -> buckets.compared(0, begin)).isInstanceOf(BucketLostException.class);
        assertThatThrownBy(() -> buckets.drained(0, begin)).isInstanceOf(BucketLostException.class);
        assertThatThrownBy(() -> buckets.restored(0, begin)).isInstanceOf(BucketLostException.class);
        assertThat(buckets.isOlder(0)).isTrue();
    }

    /** A comparison does not remove what has ended from the ready lists. */
    @Test
    void messagesOfReadyListsStayDoubtfulAfterTheComparison() {
        String before = push();
        buckets.get(0).moveDue(1, Handover.NONE);
        queue.buckets().restartServer();
        int claims = claimAgain();
        buckets.compared(0, claims);
        assertThat(buckets.drained(0, claims)).as("its ready list is not empty").isFalse();
        assertThat(buckets.take(List.of(0), TOPIC, 1, LEASE)).hasSize(1);
        assertThat(buckets.isDoubtful(0, before)).isTrue();
        assertThat(buckets.isDoubtful(0, take()))
                .as("it waited during the comparison")
                .isFalse();
        assertThat(buckets.drained(0, claims)).as("a doubtful message is taken").isFalse();
        buckets.settle(Map.of(0, List.of(before)));
        assertThat(buckets.drained(0, claims)).isTrue();
        assertThat(buckets.isOlder(0)).isFalse();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
    }

    @Test
    void allThatIsTakenBeforeTheComparisonIsDoubtful() {
        String inABatch = take();
        queue.buckets().restartServer();
        int claims = claimAgain();
        String taken = take();
        assertThat(buckets.isDoubtful(0, inABatch)).isTrue();
        assertThat(buckets.isDoubtful(0, taken)).isTrue();
        buckets.compared(0, claims);
        assertThat(buckets.isDoubtful(0, taken)).isTrue();
        buckets.release(TOPIC, Map.of(0, List.of(inABatch, taken)), false);
        assertThat(buckets.drained(0, claims)).isFalse();
    }

    private int claimAgain() {
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.OLDER);
        return buckets.claims(0);
    }

    @Test
    void aBucketThatAnEarlierLeaderRestoredMeanwhileIsOlder() {
        queue.buckets().lose(0);
        queue.otherNode().claim(0, 1).markRestored();
        assertThatThrownBy(() -> buckets.get(0).nextDue()).isInstanceOf(BucketLostException.class);
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
        assertThat(buckets.isOlder(0)).isTrue();
    }

    /** Its call was under way while the scanner claimed the bucket on the new server. */
    @Test
    void aCallThatFailedOnAnEarlierServerCastsNoDoubtOnTheClaimSince() {
        queue.buckets().beforeNextAnswer(() -> {
            queue.buckets().restartServer();
            claimAgain();
            throw new BucketLostException(0);
        });
        assertThatThrownBy(() -> buckets.get(0).collectStrays(OwnedBucket.FIRST_PAGE))
                .isInstanceOf(BucketLostException.class);
        buckets.compared(0, buckets.claims(0));
        assertThat(buckets.drained(0, buckets.claims(0))).isTrue();
        buckets.abandon(Map.of(0, List.of()));
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
        assertThat(buckets.isOlder(0)).isFalse();
    }

    @Test
    void theDoubtOutlastsAClaimThatFailsHalfway() {
        queue.buckets().lose(0);
        queue.otherNode().claim(0, 1).markRestored();
        assertThatThrownBy(() -> buckets.get(0).nextDue()).isInstanceOf(BucketLostException.class);
        // The answer of the claim comes, and that of the look at the leases does not.
        queue.buckets().beforeNextAnswer(() -> queue.buckets().silence(0));
        assertThatThrownBy(() -> buckets.claim(0)).isInstanceOf(IndexUnavailableException.class);
        queue.buckets().silence();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
        assertThat(buckets.isOlder(0)).isTrue();
        buckets.compared(0, buckets.claims(0));
        assertThat(buckets.drained(0, buckets.claims(0))).isTrue();
        buckets.claim(0);
        assertThat(buckets.isOlder(0)).isFalse();
    }

    /** The lost answer may be that of the settlement: the message may have been delivered, and its row have ended. */
    @Test
    void aMessageThatWasGivenBackAfterALostAnswerIsDoubtfulUntilItEnds() {
        String id = take();
        queue.buckets().silence(0);
        buckets.settle(Map.of(0, List.of(id)));
        queue.buckets().silence();
        buckets.claim(0);
        takeReady(id);
        assertThat(buckets.isDoubtful(0, id)).isTrue();
        assertThat(buckets.isOlder(0)).isFalse();
        buckets.release(TOPIC, Map.of(0, List.of(id)), false);
        buckets.claim(0);
        takeReady(id);
        assertThat(buckets.isDoubtful(0, id)).as("given back once more").isTrue();
        assertThat(buckets.isDoubtful(0, take())).as("another one").isFalse();
        buckets.settle(Map.of(0, List.of(id)));
        schedule(id, 0);
        buckets.get(0).moveDue(MANY, ALL);
        assertThat(buckets.isDoubtful(0, id)).as("a new one").isFalse();
    }

    /** No answer of this leader was lost. */
    @Test
    void whatAnEarlierLeaderHadTakenIsNotDoubtful() {
        String id = take();
        OwnedBuckets next = new OwnedBuckets(queue.otherNode(), new LeaderTerm(3, () -> {}));
        next.claim(0);
        assertThat(next.take(List.of(0), TOPIC, 1, LEASE)).hasSize(1);
        assertThat(next.isDoubtful(0, id)).isFalse();
    }

    @Test
    void theNextLeaderLeavesAloneWhatThisOneLeft() {
        String sent = take();
        String unsent = take();
        buckets.abandon(Map.of(0, List.of(unsent)));
        assertThat(buckets.leaving().underWay()).isEqualTo(1);
        buckets.leaving().leave(HOLD);
        OwnedBuckets next = nextLeader();
        assertThat(queue.location(sent)).isEqualTo(Location.TAKEN);
        assertThat(queue.location(unsent)).isEqualTo(Location.READY);
        buckets.settle(Map.of(0, List.of(sent)));
        assertThat(queue.location(sent)).isNull();
        assertThat(buckets.leaving().underWay()).isZero();
        assertThat(next.take(List.of(0), TOPIC, MANY, LEASE).get(0).messages())
                .extracting(DelayMessage::id)
                .containsExactly(unsent);
    }

    @Test
    void whatWasLeftEndsInEachWayWithoutLeadership() {
        List<String> left = List.of(take(), take(), take(), take());
        buckets.leaving().leave(HOLD);
        OwnedBuckets next = nextLeader();
        buckets.release(TOPIC, Map.of(0, List.of(left.get(0))), false);
        buckets.postpone(Map.of(0, List.of(queue.message(left.get(1), 60_000))), Set.of());
        ParkedOutcome outcome = new ParkedOutcome(left.get(2), 0, MessageStatus.FINISH, 1, 2, 0, "");
        buckets.park(Map.of(0, List.of(outcome)));
        assertThat(queue.location(left.get(0))).isEqualTo(Location.READY);
        assertThat(queue.location(left.get(1))).isEqualTo(Location.WAITING);
        assertThat(next.get(0).parked(10)).containsExactly(outcome);

        queue.pass(HOLD.minusSeconds(1));
        buckets.leaving().renew(HOLD);
        queue.pass(HOLD.minusSeconds(1));
        assertThat(next.get(0).moveDue(MANY, ALL).moved()).isZero();
        queue.pass(Duration.ofSeconds(1));
        // This node is gone: the message falls due for the next leader, and no late outcome touches it.
        assertThat(next.get(0).moveDue(MANY, ALL).moved()).isEqualTo(1);
        assertThat(next.take(List.of(0), TOPIC, MANY, LEASE).get(0).messages())
                .extracting(DelayMessage::id)
                .containsExactly(left.get(0), left.get(3));
        buckets.settle(Map.of(0, List.of(left.get(3))));
        assertThat(queue.location(left.get(3))).isEqualTo(Location.TAKEN);
    }

    /** A batch that waited for its rows, and then finds that the term is over. */
    @Test
    void whatWasLeftAndIsNotSentIsGivenBackAtOnce() {
        String unsent = take();
        buckets.leaving().leave(HOLD);
        OwnedBuckets next = nextLeader();
        buckets.abandon(Map.of(0, List.of(unsent)));
        assertThat(buckets.leaving().underWay()).isZero();
        assertThat(next.take(List.of(0), TOPIC, MANY, LEASE).get(0).messages())
                .extracting(DelayMessage::id)
                .containsExactly(unsent);
    }

    @Test
    void aLeaderThatWasSucceededLeavesNothing() {
        String id = take();
        OwnedBuckets next = nextLeader();
        buckets.leaving().leave(HOLD);
        assertThat(queue.location(id)).isEqualTo(Location.READY);
        assertThat(next.take(List.of(0), TOPIC, MANY, LEASE)).hasSize(1);
        buckets.settle(Map.of(0, List.of(id)));
        assertThat(queue.location(id)).isEqualTo(Location.TAKEN);
    }

    private OwnedBuckets nextLeader() {
        OwnedBuckets next = new OwnedBuckets(queue.otherNode(), new LeaderTerm(3, () -> {}));
        next.claim(0).markRestored();
        return next;
    }

    /** Its lease was lost, and the message was put back from the pool. */
    @Test
    void doesNotTakeAMessageAgainThatABatchStillHas() {
        String inABatch = take();
        queue.buckets().loseLeases(0);
        buckets.get(0).collectStrays(OwnedBucket.FIRST_PAGE);
        assertThat(queue.location(inABatch)).isEqualTo(Location.WAITING);
        assertThat(buckets.get(0).moveDue(MANY, ALL).taken()).isEmpty();
        assertThat(queue.location(inABatch)).as("under its lease").isEqualTo(Location.TAKEN);
        buckets.settle(Map.of(0, List.of(inABatch)));
        assertThat(queue.location(inABatch)).isNull();
        schedule(inABatch, 0);
        assertThat(buckets.get(0).moveDue(MANY, ALL).taken())
                .as("no batch has it")
                .hasSize(1);
    }

    @Test
    void takesFromAReadyListOnlyWhatNoBatchHas() {
        String inABatch = take();
        queue.buckets().loseLeases(0);
        buckets.get(0).collectStrays(OwnedBucket.FIRST_PAGE);
        String other = push();
        buckets.get(0).moveDue(MANY, Handover.NONE);
        assertThat(buckets.take(List.of(0), TOPIC, MANY, LEASE))
                .singleElement()
                .satisfies(take ->
                        assertThat(take.messages()).extracting(DelayMessage::id).containsExactly(other));
        buckets.release(TOPIC, Map.of(0, List.of(inABatch)), false);
        assertThat(queue.location(inABatch)).isEqualTo(Location.READY);
    }

    @Test
    void takesALaterVersionOfAMessageThatABatchHas() {
        String inABatch = take();
        queue.buckets().lose(0);
        schedule(inABatch, 1);
        buckets.claim(0);
        assertThat(buckets.get(0).moveDue(MANY, ALL).taken()).hasSize(1);
    }

    /** A cancel on any node must see that the message is in delivery. */
    @Test
    void aClaimRegistersTheLeasesThatALostBucketForgot() {
        String inABatch = take();
        queue.buckets().lose(0);
        schedule(inABatch, 0);
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.LOST);
        assertThat(queue.index().remove(inABatch)).isEqualTo(Removal.TOO_LATE);
        assertThat(buckets.get(0).moveDue(MANY, ALL).moved()).isZero();
        buckets.settle(Map.of(0, List.of(inABatch)));
        assertThat(queue.index().census(0).isEmpty()).isTrue();
    }

    @Test
    void aClaimRegistersTheLeasesThatAnOlderServerLacks() {
        String inABatch = take();
        queue.buckets().loseLeases(0);
        queue.buckets().restartServer();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.OLDER);
        assertThat(queue.location(inABatch)).isEqualTo(Location.TAKEN);
        assertThat(buckets.isDoubtful(0, inABatch)).isTrue();
    }

    /** The store is away: nothing else knows that the message was delivered. */
    @Test
    void aClaimParksTheOutcomesAgainThatALostBucketForgot() {
        String delivered = take();
        String alsoDelivered = take();
        String recorded = take();
        List<ParkedOutcome> parked = Stream.of(delivered, alsoDelivered, recorded)
                .map(this::delivered)
                .toList();
        buckets.park(Map.of(0, parked));
        buckets.get(0).unpark(List.of(recorded));
        queue.buckets().lose(0);
        // The auditor is quicker than the claim.
        schedule(delivered, 0);
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.LOST);
        assertThat(buckets.get(0).parked(MANY)).containsExactlyInAnyOrderElementsOf(parked.subList(0, 2));
        assertThat(queue.index().remove(delivered).kind()).isEqualTo(Removal.Kind.DELIVERED);
        assertThat(queue.location(recorded)).isNull();
    }

    @Test
    void anOutcomeWhoseParkFailedWithTheLossIsParkedAtTheClaim() {
        String delivered = take();
        queue.buckets().lose(0);
        buckets.park(Map.of(0, List.of(delivered(delivered))));
        assertThat(buckets.isOwned(0)).isFalse();
        buckets.claim(0);
        assertThat(buckets.get(0).parked(MANY)).containsExactly(delivered(delivered));
    }

    @Test
    void anOutcomeThatAWholeBucketDidNotTakeIsParkedAtTheClaim() {
        String delivered = take();
        queue.buckets().silence(0);
        buckets.park(Map.of(0, List.of(delivered(delivered))));
        queue.buckets().silence();
        assertThat(buckets.isSuspect(0)).isTrue();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
        assertThat(buckets.get(0).parked(MANY)).containsExactly(delivered(delivered));
        assertThat(queue.location(delivered)).isEqualTo(Location.PARKED);
    }

    /** A cancel is answered by what the bucket knows of deliveries, as soon as it says that it knows them all. */
    @Test
    void aClaimOfALostBucketParksBeforeTheBucketKnowsItsDeliveries() {
        String delivered = take();
        buckets.park(Map.of(0, List.of(delivered(delivered))));
        queue.buckets().lose(0);
        queue.buckets().beforeNextAnswer(() -> {
            assertThat(queue.index().isSteady(delivered)).isFalse();
            queue.buckets().loseNextAnswer();
        });
        assertThatThrownBy(() -> buckets.claim(0)).isInstanceOf(IndexUnavailableException.class);
        assertThat(queue.index().isSteady(delivered)).isFalse();
        // The restore is quicker than the next claim, which finds a whole bucket.
        buckets.get(0).markRestored();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.HELD);
        assertThat(queue.index().isSteady(delivered)).isTrue();
        assertThat(buckets.get(0).parked(MANY)).containsExactly(delivered(delivered));
    }

    @Test
    void outcomesOfAnEarlierLeaderAreKeptOnceTheyAreRead() {
        ParkedOutcome earlier = delivered(take());
        buckets.park(Map.of(0, List.of(earlier)));
        LeaderTerm later = new LeaderTerm(3, () -> {});
        OwnedBuckets next = new OwnedBuckets(queue.otherNode(), later);
        next.claim(0);
        assertThat(next.get(0).parked(MANY)).containsExactly(earlier);
        queue.buckets().lose(0);
        next.claim(0);
        assertThat(next.get(0).parked(MANY)).containsExactly(earlier);
    }

    private ParkedOutcome delivered(String id) {
        return new ParkedOutcome(id, 0, MessageStatus.FINISH, 0, 0, 0, "");
    }

    @Test
    void outcomesAreKeptUpToABoundInBytes() {
        KeptOutcomes kept = new KeptOutcomes(2 * KeptOutcomes.bytes(delivered("a")));
        kept.add(List.of(delivered("before")));
        kept.recorded(List.of("before"));
        kept.add(Stream.of("a", "b", "a", "c").map(this::delivered).toList());
        assertThat(kept.parkAgain(buckets.get(0))).isEqualTo(2);
        assertThat(buckets.get(0).parked(MANY)).extracting(ParkedOutcome::id).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    void aClaimThatCannotRegisterLeasesIsMadeAgain() {
        String inABatch = take();
        queue.buckets().lose(0);
        // The answers of the claim and of the registration are owners' calls.
        queue.buckets().beforeNextAnswer(() -> queue.buckets().loseNextAnswer());
        assertThatThrownBy(() -> buckets.claim(0)).isInstanceOf(IndexUnavailableException.class);
        assertThat(buckets.isSuspect(0)).isTrue();
        buckets.claim(0);
        assertThat(buckets.isSuspect(0)).isFalse();
        assertThat(queue.location(inABatch)).isEqualTo(Location.TAKEN);
    }

    @Test
    void doesNotOwnALostBucketUntilItIsClaimedAgain() {
        String id = take();
        queue.buckets().lose(0);
        buckets.settle(Map.of(0, List.of(id)));
        assertThat(buckets).isEmpty();
        assertThatThrownBy(() -> buckets.get(0).nextDue()).isInstanceOf(BucketLostException.class);
        assertThat(buckets.take(List.of(0), TOPIC, 1, LEASE)).isEmpty();
        assertThat(term.isActive()).isTrue();
        assertThat(buckets.claim(0).found()).isEqualTo(ClaimResult.LOST);
        assertThat(buckets).hasSize(1);
    }

    @Test
    void aFencedBucketEndsTheTerm() {
        buckets.claim(1);
        queue.otherNode().claim(0, 3);
        assertThat(buckets.take(List.of(0, 1), TOPIC, 1, LEASE))
                .as("of the other one")
                .hasSize(1);
        assertThat(term.isActive()).isFalse();
        assertThat(buckets).isEmpty();
    }

    @Test
    void aFailedBucketDoesNotSpoilTheOthers() {
        buckets.claim(1);
        String id = take();
        queue.buckets().silence(1);
        buckets.settle(Map.of(1, List.of("other"), 0, List.of(id)));
        assertThat(queue.location(id)).isNull();
    }

    @Test
    void aBucketThatDoesNotAnswerAJointScanIsSuspectAlone() {
        buckets.claim(1);
        String id = push();
        queue.buckets().silence(1);
        List<Answer<ScanResult>> answers = buckets.moveDue(List.of(2, 1, 0), MANY, ALL);
        assertThat(answers).extracting(Answer::bucket).containsExactly(0, 1, 2);
        assertThat(answers.get(0).orThrow().taken())
                .extracting(DelayMessage::id)
                .containsExactly(id);
        assertThat(answers.get(1).failure()).isInstanceOf(IndexUnavailableException.class);
        assertThat(answers.get(2).failure()).as("not claimed").isInstanceOf(BucketLostException.class);
        assertThat(buckets.isSuspect(0)).isFalse();
        assertThat(buckets.isSuspect(1)).isTrue();
        assertThat(buckets.isSuspect(2)).isFalse();
    }

    @Test
    void aJointScanLeavesOutWhatABatchStillHas() {
        String inABatch = take();
        queue.buckets().loseLeases(0);
        buckets.get(0).collectStrays(OwnedBucket.FIRST_PAGE);
        assertThat(buckets.moveDue(List.of(0), MANY, ALL).get(0).orThrow().taken())
                .isEmpty();
        assertThat(queue.location(inABatch)).isEqualTo(Location.TAKEN);
    }

    @Test
    void aJointLookFindsABucketThatIsLost() {
        buckets.claim(1);
        queue.buckets().lose(0);
        assertThat(buckets.nextDue(List.of(0, 1)))
                .extracting(answer -> answer.failure() == null)
                .containsExactly(false, true);
        assertThat(buckets.isOwned(0)).isFalse();
        assertThat(buckets.isSuspect(0)).as("no lease was asked for").isFalse();
    }

    /** A message that is due in bucket 0. */
    private String push() {
        String id;
        do {
            id = "id" + ids.incrementAndGet();
        } while (queue.index().bucketOf(id) != 0);
        queue.index().schedule(List.of(queue.message(id, 0)));
        return id;
    }

    private void takeReady(String id) {
        assertThat(buckets.take(List.of(0), TOPIC, 1, LEASE))
                .singleElement()
                .satisfies(take ->
                        assertThat(take.messages()).extracting(DelayMessage::id).containsExactly(id));
    }

    private void schedule(String id, int version) {
        queue.index().schedule(List.of(queue.message(id, 0).asVersion(version)));
    }

    private String take() {
        String id = push();
        assertThat(buckets.get(0).moveDue(1, ALL).taken()).hasSize(1);
        return id;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
