package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** One claim owns a bucket: an earlier one and a lost one change nothing. */
interface OwnershipContract extends IndexUnderTest {
    @Test
    default void refusesALeaderThatHasBeenSucceeded() {
        String taken = oneTaken();
        OwnedBucket former = bucket(0);
        OwnedBucket successor = index().claim(0, EPOCH + 1);
        assertThat(successor.found()).isEqualTo(ClaimResult.HELD);
        assertThat(index().highestEpoch()).isEqualTo(EPOCH + 1);
        Object before = everything();
        OwnerCalls.all("t", taken).forEach((name, call) -> assertThatThrownBy(() -> call.make(index(), former))
                .as(name)
                .isInstanceOf(FencedException.class)
                .hasMessageContaining(Long.toString(EPOCH + 1)));
        assertThatThrownBy(() -> index().claim(0, EPOCH)).isInstanceOf(FencedException.class);
        assertThat(everything()).isEqualTo(before);
        OwnerCalls.all("t", taken).forEach((name, call) -> call.make(index(), successor));
    }

    /** Redis came back older, or a frozen leader claimed a lost bucket: the right leader must claim it once more. */
    @Test
    default void isLostToALeaderWithAHigherEpoch() {
        String taken = oneTaken();
        Runnable goBack = rememberEpoch(0);
        OwnedBucket higher = index().claim(0, EPOCH + 1);
        goBack.run();
        Object before = everything();
        OwnerCalls.all("t", taken).forEach((name, call) -> assertThatThrownBy(() -> call.make(index(), higher))
                .as(name)
                .isInstanceOf(BucketLostException.class));
        assertThat(everything()).isEqualTo(before);
        OwnedBucket again = index().claim(0, EPOCH + 1);
        assertThat(again.found()).isEqualTo(ClaimResult.HELD);
        OwnerCalls.all("t", taken).forEach((name, call) -> call.make(index(), again));
        assertThatThrownBy(() -> bucket(0).moveDue(LIMIT, Handover.NONE)).isInstanceOf(FencedException.class);
    }

    /** It lay in a socket's buffer, say, while the leader gave it up and claimed the bucket again. */
    @Test
    default void refusesWhatWasSentBeforeTheLastClaim() {
        String taken = oneTaken();
        try (MessageIndex late = otherNode()) {
            OwnedBucket before = late.claim(0, EPOCH);
            assertThat(before.found()).isEqualTo(ClaimResult.HELD);
            OwnedBucket now = index().claim(0, EPOCH);
            assertThat(now.found()).isEqualTo(ClaimResult.HELD);
            Object everything = everything();
            Map<String, OwnerCalls.OwnerCall> calls = OwnerCalls.all("t", taken);
            calls.keySet()
                    .removeAll(
                            Set.of("markRestored", "markCompared", "nextDue", "unpark", "trimReady", "collectStrays"));
            calls.forEach((name, call) -> assertThatThrownBy(() -> call.make(late, before))
                    .as(name)
                    .isInstanceOf(IndexUnavailableException.class)
                    .hasMessageContaining("claimed again"));
            assertThat(everything()).isEqualTo(everything);
            now.release("t", List.of(taken), false);
            assertThat(OwnerCalls.take(index(), now, "t", LIMIT, LEASE)).hasSize(1);
        }
    }

    /** As a restart from a snapshot leaves it, or a replica that was promoted. */
    @Test
    default void knowsThatAnotherServerWasClaimedBefore() {
        claimedElsewhere(0);
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.OLDER);
        OwnedBucket owner = index().claim(0, EPOCH + 1);
        assertThat(owner.found()).as("until it was compared").isEqualTo(ClaimResult.OLDER);
        owner.markRestored();
        assertThat(index().claim(0, EPOCH + 1).found()).isEqualTo(ClaimResult.OLDER);
        owner.markCompared();
        assertThat(index().claim(0, EPOCH + 1).found()).isEqualTo(ClaimResult.HELD);
        loseEverything();
        OwnedBucket lost = index().claim(0, EPOCH + 1);
        assertThat(lost.found()).isEqualTo(ClaimResult.LOST);
        lost.markCompared();
        assertThat(index().claim(0, EPOCH + 1).found()).isEqualTo(ClaimResult.LOST);
    }

    /** With sentinels and in a cluster, a new node is steady after some seconds. */
    @Test
    default void isSteadyOnlyWhereTheLeaderHasSaidWhatItKnows() {
        List<String> ids = idsIn(index(), 0, 2);
        String id = ids.get(0);
        bucket(0).retake(List.of(), LEASE);
        await().until(() -> index().isSteady(id));
        claimedElsewhere(0);
        assertThat(index().isSteady(id)).isFalse();
        OwnedBucket owner = index().claim(0, EPOCH);
        assertThat(index().isSteady(id)).isFalse();
        owner.retake(Refs.first(ids.get(1)), LEASE);
        assertThat(index().isSteady(id)).as("there may be more leases").isFalse();
        owner.retake(List.of(), LEASE);
        assertThat(index().isSteady(id)).isTrue();
        assertThat(index().mayBeDueElsewhere(id, now())).isFalse();
        owner.markCompared();
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.HELD);
        assertThat(index().isSteady(id)).isTrue();
        loseEverything();
        assertThat(index().isSteady(id)).isFalse();
        OwnedBucket lost = index().claim(0, EPOCH);
        assertThat(index().isSteady(id)).isFalse();
        lost.retake(List.of(), LEASE);
        assertThat(index().isSteady(id)).isTrue();
    }

    /** The snapshot of such a server may have messages that have ended since; a restore would leave them. */
    @Test
    default void isOlderOnAnotherServerAlsoWhileItIsRestored() {
        loseEverything();
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.LOST);
        claimedElsewhere(0);
        OwnedBucket owner = index().claim(0, EPOCH);
        assertThat(owner.found()).isEqualTo(ClaimResult.OLDER);
        owner.markRestored();
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.OLDER);
        owner = index().claim(0, EPOCH);
        owner.markCompared();
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.HELD);
    }

    @Test
    default void knowsThatItWasLost() {
        OwnerCalls.all("t", "m").forEach((name, call) -> {
            OwnedBucket owner = index().claim(0, EPOCH);
            String taken = oneTaken();
            loseEverything();
            Object nothing = everything();
            assertThatThrownBy(() -> call.make(index(), owner)).as(name).isInstanceOf(BucketLostException.class);
            assertThat(everything()).as(name + " leaves nothing behind").isEqualTo(nothing);
            assertThat(index().locate(List.of(taken))).isEmpty();
            assertThat(index().remove(taken)).isEqualTo(Removal.UNKNOWN);
            assertThat(index().purge(Refs.first(taken))).isEmpty();
            assertThat(scheduleOne(message(taken, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
            assertThat(index().highestEpoch()).isZero();
            assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.LOST);
            assertThat(index().purge(Refs.first(taken))).isEmpty();
        });
    }

    @Test
    default void staysLostUntilRestored() {
        loseEverything();
        assertThat(index().claim(0, EPOCH).found()).isEqualTo(ClaimResult.LOST);
        OwnedBucket next = index().claim(0, EPOCH + 1);
        assertThat(next.found()).isEqualTo(ClaimResult.LOST);
        next.markRestored();
        assertThat(index().claim(0, EPOCH + 1).found()).isEqualTo(ClaimResult.HELD);
        assertThat(index().claim(0, EPOCH + 2).found()).isEqualTo(ClaimResult.HELD);
    }
}
