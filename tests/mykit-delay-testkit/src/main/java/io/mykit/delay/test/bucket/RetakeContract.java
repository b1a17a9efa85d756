package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages in delivery whose leases were lost. */
interface RetakeContract extends IndexUnderTest {
    @Test
    default void aLostLeaseIsKnownToAllNodesAgain() {
        String id = idsIn(index(), 0, 1).get(0);
        OwnedBucket owner = lost();
        owner.retake(Refs.first(id), LEASE);
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(index().purge(Refs.first(id))).containsExactly(id);
        assertThat(index().veto(Refs.first(id))).containsExactly(id);
        assertThat(index().unknown(Refs.first(id))).as("its content is missing").containsExactly(id);
        owner.settle(List.of(id));
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void aRestoreBringsItsContentAndLeavesItsLease() {
        String id = idsIn(index(), 0, 1).get(0);
        OwnedBucket owner = lost();
        owner.retake(Refs.first(id), LEASE);
        DelayMessage message = message(id, "t", now() - 1000);
        assertThat(scheduleOne(message)).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index().unknown(Refs.first(id))).isEmpty();
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(owner.leased(Long.MAX_VALUE, 10)).isEqualTo(Map.of("t", List.of(id)));
        String other = idsIn(index(), 0, 2).get(1);
        assertThat(scheduleOne(message(other, "t", now() - 1000))).isEqualTo(ScheduleOutcome.SCHEDULED);
        move(0);
        owner.release("t", List.of(id), false);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(id, other);
        owner.settle(List.of(id, other));
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void itsOutcomeEndsALeaseWithoutContent() {
        List<String> ids = idsIn(index(), 0, 3);
        OwnedBucket owner = lost();
        owner.retake(Refs.first(ids.toArray(String[]::new)), LEASE);
        owner.settle(List.of(ids.get(0)));
        owner.park(List.of(OwnerCalls.outcome(ids.get(1))));
        owner.postpone(List.of(message(ids.get(2), "t", far())), Set.of());
        assertThat(index().locate(ids)).isEqualTo(Map.of(ids.get(1), Location.PARKED));
        ids.forEach(id -> scheduleOne(message(id, "t", far())));
        assertThat(index().locate(ids))
                .isEqualTo(Map.of(
                        ids.get(0), Location.WAITING, ids.get(1), Location.PARKED, ids.get(2), Location.WAITING));
    }

    /** Redis came back older: there the message is not taken yet. */
    @Test
    default void aMessageThatWaitsOrIsReadyIsTakenAgain() {
        List<String> ids = idsIn(index(), 0, 2);
        scheduleOne(message(ids.get(0), "t", now() - 1000));
        move(0);
        scheduleOne(message(ids.get(1), "t", far()));
        bucket(0).retake(Refs.first(ids.get(0), ids.get(1)), LEASE);
        assertThat(index().locate(ids)).isEqualTo(Map.of(ids.get(0), Location.TAKEN, ids.get(1), Location.TAKEN));
        assertThat(take(0, "t")).isEmpty();
        assertThat(bucket(0).moveDue(LIMIT, Handover.NONE).nextDueMs()).isEqualTo(-1);
        bucket(0).settle(ids);
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void aLaterVersionIsNotTaken() {
        String id = idsIn(index(), 0, 1).get(0);
        scheduleOne(message(id, "t", far()).asVersion(1));
        bucket(0).retake(Refs.first(id), LEASE);
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.WAITING);
    }

    private OwnedBucket lost() {
        loseEverything();
        OwnedBucket owner = index().claim(0, EPOCH);
        assertThat(owner.found()).isEqualTo(ClaimResult.LOST);
        return owner;
    }
}
