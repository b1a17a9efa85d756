package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Census;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages between the ready list and their end. */
interface LeaseContract extends IndexUnderTest {
    @Test
    default void listsLeasesThatEnded() {
        List<String> ids = idsIn(index(), 0, 3);
        index().schedule(List.of(
                message(ids.get(0), "a", now() - 1030),
                message(ids.get(1), "b", now() - 1020),
                message(ids.get(2), "a", now() - 1010)));
        move(0);
        assertThat(OwnerCalls.take(index(), bucket(0), "b", 10, Duration.ofMillis(1)))
                .hasSize(1);
        assertThat(OwnerCalls.take(index(), bucket(0), "a", 10, LEASE)).hasSize(2);
        assertThat(bucket(0).leased(now() + 5_000, 10)).isEqualTo(Map.of("b", List.of(ids.get(1))));
        assertThat(bucket(0).leased(now() - 60_000, 10)).isEmpty();
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10))
                .isEqualTo(Map.of("b", List.of(ids.get(1)), "a", List.of(ids.get(0), ids.get(2))));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 1, 1)).isEqualTo(Map.of("a", List.of(ids.get(0))));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 3, 10)).isEmpty();
    }

    @Test
    default void givesBackInOrder() {
        List<String> ids = idsIn(index(), 0, 5);
        long due = now() - 1100;
        for (int i = 0; i < 5; i++) {
            scheduleOne(message(ids.get(i), "t", due + i));
        }
        move(0);
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 3, LEASE)).hasSize(3);
        bucket(0).settle(List.of(ids.get(1)));
        bucket(0).release("t", List.of(ids.get(0), ids.get(1), ids.get(2), ids.get(4), "unknown"), false);
        bucket(0).release("t", List.of(ids.get(0)), false);
        assertThat(take(0, "t").stream().map(DelayMessage::id))
                .containsExactly(ids.get(0), ids.get(2), ids.get(3), ids.get(4));
    }

    @Test
    default void extendsLeases() {
        String id = oneTaken();
        long endMs = now() + LEASE.toMillis();
        bucket(0).extend(List.of(id, "unknown"), LEASE.multipliedBy(3));
        assertThat(bucket(0).leased(endMs + LEASE.toMillis(), 10)).isEmpty();
        assertThat(bucket(0).leased(endMs + 3 * LEASE.toMillis(), 10)).isEqualTo(Map.of("t", List.of(id)));
        bucket(0).settle(List.of(id));
        bucket(0).extend(List.of(id), LEASE);
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).as("no lease is made").isEmpty();
    }

    @Test
    default void postpones() {
        String id = oneTaken();
        long before = bucket(0).moveDue(LIMIT, Handover.NONE).nowMicros() / 1000;
        DelayMessage later = message(id, "t", before + 250);
        bucket(0).postpone(List.of(later, message("unknown", "t", before)), Set.of());
        bucket(0).postpone(List.of(message(id, "t", before)), Set.of());
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.WAITING);
        ScanResult scan = bucket(0).moveDue(LIMIT, Handover.NONE);
        assertThat(scan.nextDueMs()).isEqualTo(before + 250);
        await().until(() -> bucket(0).moveDue(LIMIT, Handover.NONE).moved() == 1);
        assertThat(take(0, "t")).containsExactly(later);
    }

    @Test
    default void aPostponedMessageOfAnotherVersionFallsDueAtOnceAsItIs() {
        String id = oneTaken();
        bucket(0).postpone(List.of(message(id, "t", far()).asVersion(1)), Set.of());
        await().until(() -> bucket(0).moveDue(LIMIT, Handover.NONE).moved() == 1);
        assertThat(take(0, "t")).singleElement().satisfies(taken -> {
            assertThat(taken.version()).isZero();
            assertThat(taken.dueTimeMs()).isLessThan(far());
        });
    }

    @Test
    default void postponedMessagesKeepTheirPriority() {
        List<String> ids = idsIn(index(), 0, 2);
        List<DelayMessage> messages =
                List.of(message(ids.get(0), "t", now() - 200, 1), message(ids.get(1), "t", now() - 100, 8));
        messages.forEach(this::scheduleOne);
        move(0);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactlyElementsOf(ids);
        long due = now() - 50;
        bucket(0)
                .postpone(
                        messages.stream().map(message -> message.retriedAt(due)).toList(), Set.of());
        await().until(() -> bucket(0).moveDue(LIMIT, Handover.NONE).moved() == 2);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(ids.get(1), ids.get(0));
    }

    @Test
    default void leavesTakenMessagesUnderAHold() {
        String id = oneTaken();
        Held held = new Held(id, "r");
        bucket(0).leave(List.of(id, "unknown"), LEASE, "r");
        bucket(0).leave(List.of(id), LEASE, "another");
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(index().holds().holds(List.of(held))).containsEntry(id, HoldState.HELD);
        assertThat(bucket(0).nextDue()).isBetween(now(), now() + LEASE.toMillis());
        assertThat(index().holds().forget(List.of(held))).containsOnlyKeys(id);
        assertThat(index().locate(List.of(id))).isEmpty();
    }

    @Test
    default void aMessageThatWasLeftFallsDueAtTheEndOfItsHold() {
        String id = oneTaken();
        bucket(0).leave(List.of(id), Duration.ofSeconds(1), "r");
        assertThat(bucket(0).moveDue(LIMIT, Handover.NONE).moved()).isZero();
        await().until(() -> bucket(0).moveDue(LIMIT, Handover.NONE).moved() == 1);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(id);
        assertThat(index().holds().forget(List.of(new Held(id, "r")))).isEmpty();
    }

    /** A loss of data, or a lease that ended, brings a delivered message back; the outcome is the truth. */
    @Test
    default void anOutcomeEndsItsMessageWhereverItIs() {
        List<String> ids = idsIn(index(), 0, 2);
        String waiting = ids.get(0);
        String ready = ids.get(1);
        scheduleOne(message(ready, "t", now() - 1000));
        move(0);
        scheduleOne(message(waiting, "t", now() - 1000));
        bucket(0).park(List.of(OwnerCalls.outcome(waiting), OwnerCalls.outcome(ready)));
        assertThat(index().locate(ids)).isEqualTo(Map.of(waiting, Location.PARKED, ready, Location.PARKED));
        assertThat(bucket(0).nextDue()).isEqualTo(-1);
        assertThat(take(0, "t")).isEmpty();
        bucket(0).unpark(ids);
        assertThat(index().census(0)).matches(Census::isEmpty, "is empty");
    }

    @Test
    default void anOutcomeLeavesALaterVersion() {
        List<String> ids = idsIn(index(), 0, 2);
        String waiting = ids.get(0);
        String ready = ids.get(1);
        scheduleOne(message(ready, "t", now() - 1000).asVersion(2));
        move(0);
        scheduleOne(message(waiting, "t", far()).asVersion(2));
        bucket(0).park(ids.stream().map(id -> OwnerCalls.outcome(id, 1)).toList());
        assertThat(bucket(0).parked(10)).isEmpty();
        assertThat(index().locate(ids)).isEqualTo(Map.of(waiting, Location.WAITING, ready, Location.READY));
    }

    @Test
    default void parksOutcomes() {
        String id = oneTaken();
        bucket(0).park(List.of(OwnerCalls.outcome(id)));
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.PARKED);
        assertThat(bucket(0).parked(10)).containsExactly(OwnerCalls.outcome(id));
        assertThat(index().remove(id)).isEqualTo(Removal.DELIVERED);
        assertThat(index().purge(Refs.first(id))).containsExactly(id);
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEmpty();
        bucket(0).unpark(List.of(id));
        assertThat(bucket(0).parked(10)).isEmpty();
        assertThat(index().locate(List.of(id))).isEmpty();
    }
}
