package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A message has versions, and a veto is about one of them and those before it. */
interface VersionContract extends IndexUnderTest {
    @Test
    default void whatIsVetoedIsNotScheduledUntilThatIsLifted() {
        List<String> ids = idsIn(index(), 1, 4);
        String vetoed = ids.get(0);
        String other = ids.get(1);
        String waiting = ids.get(2);
        String parked = ids.get(3);
        scheduleOne(message(waiting, "t", far()));
        bucket(1).park(List.of(OwnerCalls.outcome(parked)));

        assertThat(index().veto(Refs.first(ids.subList(0, 1)))).isEmpty();
        assertThat(index().veto(Refs.first(vetoed, waiting, parked))).containsExactlyInAnyOrder(waiting, parked);
        assertThat(index().schedule(List.of(message(vetoed, "t", now() - 1000), message(other, "t", far()))))
                .containsExactly(ScheduleOutcome.VETOED, ScheduleOutcome.SCHEDULED);
        assertThat(index().locate(ids)).doesNotContainKey(vetoed).containsEntry(waiting, Location.WAITING);
        assertThat(bucket(1).moveDue(LIMIT, Handover.NONE).moved()).isZero();
        assertThat(index().remove(vetoed)).isEqualTo(Removal.VETOED);
        assertThat(index().remove(waiting).kind()).isEqualTo(Removal.Kind.REMOVED);
        assertThat(scheduleOne(message(waiting, "t", far())))
                .as("its row is about to change")
                .isEqualTo(ScheduleOutcome.VETOED);
        assertThat(index().putBack(message(waiting, "t", far()), false)).isEqualTo(ScheduleOutcome.SCHEDULED);

        index().lift(new MessageRef(vetoed, 0));
        index().lift(new MessageRef(other, 0));
        assertThat(scheduleOne(message(vetoed, "t", far()))).as("vetoed twice").isEqualTo(ScheduleOutcome.VETOED);
        index().lift(new MessageRef(vetoed, 0));
        assertThat(scheduleOne(message(vetoed, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    /** Redis may carry out a removal after its caller gave it up and another version was accepted. */
    @Test
    default void aRemovalLeavesALaterVersion() {
        List<String> ids = idsIn(index(), 1, 2);
        String id = ids.get(0);
        DelayMessage later = message(id, "t", now() + 200).asVersion(1);
        scheduleOne(later);
        assertThat(index().remove(new MessageRef(id, 0))).isEmpty();
        await().until(() -> bucket(1).moveDue(LIMIT, Handover.NONE).moved() == 1);
        assertThat(index().remove(new MessageRef(id, 0))).isEmpty();
        assertThat(index().remove(later.ref())).contains(Removal.TOO_LATE);

        String other = ids.get(1);
        DelayMessage waiting = message(other, "t", far()).asVersion(1);
        scheduleOne(waiting);
        assertThat(index().remove(waiting.ref())).contains(Removal.of(waiting, false, false));
        assertThat(index().remove(new MessageRef(other, 0))).contains(Removal.VETOED);
    }

    @Test
    default void aVetoOfSeveralCallsEndsWithTheLastOfThem() {
        String id = idsIn(index(), 1, 1).get(0);
        DelayMessage message = message(id, "t", far()).asVersion(1);
        scheduleOne(message);
        assertThat(index().remove(id).kind()).isEqualTo(Removal.Kind.REMOVED);
        for (int calls = 2; calls <= 4; calls++) {
            assertThat(index().veto(List.of(message.ref()))).isEmpty();
        }
        for (int calls = 4; calls >= 2; calls--) {
            assertThat(index().putBack(message, false)).isEqualTo(ScheduleOutcome.VETOED);
        }
        assertThat(index().putBack(message, false)).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    /** The calls of the older version have ended or come too late. */
    @Test
    default void theVetoOfALaterVersionHasItsOwnCalls() {
        String id = idsIn(index(), 1, 1).get(0);
        index().veto(Refs.first(id));
        index().veto(Refs.first(id));
        MessageRef later = new MessageRef(id, 1);
        index().veto(List.of(later));
        index().lift(later);
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    default void aNewerVersionTakesThePlaceOfOneThatWaits() {
        List<String> ids = idsIn(index(), 1, 2);
        String waiting = ids.get(0);
        String due = ids.get(1);
        scheduleOne(message(waiting, "t", far()));
        DelayMessage sooner = message(waiting, "other", now() - 1000).asVersion(2);
        assertThat(index().unknown(List.of(sooner.ref()))).containsExactly(waiting);
        assertThat(scheduleOne(sooner)).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index().unknown(List.of(sooner.ref(), new MessageRef(waiting, 1))))
                .isEmpty();
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(1)))
                .as("an older one that comes late")
                .isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(bucket(1).nextDue()).isEqualTo(sooner.dueTimeMs());
        assertThat(index().census(1).waiting()).isEqualTo(1);
        move(1);
        assertThat(take(1, "other")).containsExactly(sooner);
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(3)))
                .as("its delivery has begun")
                .isEqualTo(ScheduleOutcome.KNOWN);

        scheduleOne(message(due, "t", now() - 1000));
        move(1);
        assertThat(scheduleOne(message(due, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index().locate(List.of(due))).containsEntry(due, Location.READY);
    }

    @Test
    default void aVetoIsAboutAVersionAndThoseBeforeIt() {
        String id = idsIn(index(), 1, 1).get(0);
        assertThat(index().veto(List.of(new MessageRef(id, 1)))).isEmpty();
        assertThat(index().veto(List.of(new MessageRef(id, 0)))).isEmpty();
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.VETOED);
        assertThat(scheduleOne(message(id, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.VETOED);
        index().lift(new MessageRef(id, 0));
        assertThat(scheduleOne(message(id, "t", far()).asVersion(1)))
                .as("that was another veto")
                .isEqualTo(ScheduleOutcome.VETOED);
        assertThat(scheduleOne(message(id, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index().remove(id).message().version()).isEqualTo(2);
        index().lift(new MessageRef(id, 2));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    default void anOutcomeAndAPurgeAreAboutAVersion() {
        List<String> ids = idsIn(index(), 1, 2);
        String delivered = ids.get(0);
        String purged = ids.get(1);
        bucket(1).park(List.of(OwnerCalls.outcome(delivered, 1)));
        assertThat(bucket(1).parked(10)).containsExactly(OwnerCalls.outcome(delivered, 1));
        assertThat(scheduleOne(message(delivered, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.DELIVERED);
        assertThat(index().remove(delivered)).isEqualTo(Removal.DELIVERED);
        assertThat(index().unknown(List.of(new MessageRef(delivered, 1)))).isEmpty();
        assertThat(index().unknown(List.of(new MessageRef(delivered, 2)))).containsExactly(delivered);
        assertThat(index().purge(List.of(new MessageRef(delivered, 1)))).containsExactly(delivered);
        assertThat(scheduleOne(message(delivered, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index().purge(List.of(new MessageRef(delivered, 2)))).isEmpty();

        scheduleOne(message(purged, "t", far()).asVersion(2));
        assertThat(index().purge(List.of(new MessageRef(purged, 1)))).isEmpty();
        assertThat(index().locate(List.of(purged))).containsEntry(purged, Location.WAITING);
        assertThat(index().purge(List.of(new MessageRef(purged, 2)))).isEmpty();
        assertThat(index().locate(List.of(purged))).isEmpty();
    }
}
