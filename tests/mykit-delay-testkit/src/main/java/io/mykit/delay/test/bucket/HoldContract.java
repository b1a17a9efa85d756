package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.Hold;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages that consumers hold, from their hand-out to their end. */
interface HoldContract extends PulledTopic {
    @Test
    default void tellsHolds() {
        List<String> ids = due(2);
        handOut(1, "r1");
        assertThat(holds().holds(List.of(
                        new Held(ids.get(0), "r1"), new Held(ids.get(1), "r1"), new Held("unknown", "r1"))))
                .isEqualTo(Map.of(ids.get(0), HoldState.HELD, ids.get(1), HoldState.FREE, "unknown", HoldState.FREE));
        assertThat(holds().holds(List.of(new Held(ids.get(0), "r2"))))
                .isEqualTo(Map.of(ids.get(0), HoldState.HELD_BY_ANOTHER));
    }

    @Test
    default void findsTheConsumersOfHeldMessages() {
        List<String> ids = due(4);
        String first = HoldReceipt.draw(now(), "worker-1");
        long untilMs = handOut(2, first).untilMs();
        handOut(1, "OfAnOlderVersion");
        Hold hold = new Hold(untilMs, HoldReceipt.read(first));
        assertThat(hold.receipt()).map(HoldReceipt::consumer).contains("worker-1");
        Map<String, Hold> found = holds().find(ids);
        assertThat(found).containsOnlyKeys(ids.get(0), ids.get(1), ids.get(2));
        assertThat(found).containsEntry(ids.get(0), hold).containsEntry(ids.get(1), hold);
        assertThat(found.get(ids.get(2)).receipt()).isEmpty();
        assertThat(holds().find(List.of("unknown"))).isEmpty();

        assertThat(holds().held(PULLED, 10))
                .extracting(held -> held.message().id())
                .containsExactlyInAnyOrder(ids.get(0), ids.get(1), ids.get(2));
        assertThat(holds().held(PULLED, 10)).extracting(HeldMessage::hold).contains(hold);
        assertThat(holds().held(PULLED, 1)).hasSize(1);
        assertThat(holds().held(PULLED, 0)).isEmpty();
        assertThat(holds().held("other", 10)).isEmpty();
        assertThat(holds().receipts(PULLED, 100))
                .extracting(HoldReceipt::consumer)
                .containsExactly("worker-1", "worker-1");

        holds().forget(List.of(new Held(ids.get(0), first)));
        holds().release(List.of(new Held(ids.get(1), first)), true);
        assertThat(holds().find(ids)).containsOnlyKeys(ids.get(2));
        assertThat(holds().receipts(PULLED, 100)).isEmpty();
    }

    @Test
    default void aHoldGetsTheNameOfItsConsumerAndItsOldReceiptStaysValid() {
        List<String> ids = due(2);
        String drawn = HoldReceipt.draw(now(), "");
        handOut(2, drawn);
        String named = HoldReceipt.rename(drawn, "10.0.0.7");
        holds().rename(Map.of(new Held(ids.get(0), drawn), named, new Held(ids.get(1), "another"), "another~x"));
        assertThat(holds().find(ids).get(ids.get(0)).receipt())
                .map(HoldReceipt::consumer)
                .contains("10.0.0.7");
        assertThat(holds().find(ids).get(ids.get(1)).receipt())
                .map(HoldReceipt::consumer)
                .contains("");
        for (String receipt : List.of(drawn, named)) {
            for (String id : ids) {
                assertThat(holds().holds(List.of(new Held(id, receipt)))).containsEntry(id, HoldState.HELD);
                assertThat(holds().extend(List.of(new Held(id, receipt)), HOLD)).containsOnlyKeys(id);
            }
        }
        assertThat(holds().forget(List.of(new Held(ids.get(0), drawn), new Held(ids.get(1), named))))
                .containsOnlyKeys(ids);
    }

    @Test
    default void nothingElseMovesAHeldMessage() {
        String id = due(1).get(0);
        handOut(1, "r1");
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(index().purge(Refs.first(id))).containsExactly(id);
        assertThat(index().veto(Refs.first(id))).containsExactly(id);
        assertThat(index().unknown(Refs.first(id))).isEmpty();
        assertThat(scheduleOne(message(id, PULLED, far()))).isEqualTo(ScheduleOutcome.KNOWN);
        bucket(0).settle(List.of(id));
        bucket(0).release(PULLED, List.of(id), false);
        bucket(0).postpone(List.of(message(id, PULLED, far())), Set.of());
        bucket(0).park(List.of(OwnerCalls.outcome(id)));
        bucket(0).collectStrays("0");
        assertThat(movePulled(0, HANDOVER).moved()).isZero();
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.HELD);
        assertThat(bucket(0).nextDue()).isGreaterThan(now());
    }

    @Test
    default void forgets() {
        List<String> ids = due(3);
        handOut(2, "r1");
        List<Held> ended = List.of(
                new Held(ids.get(0), "r1"),
                new Held(ids.get(1), "another"),
                new Held(ids.get(2), "r1"),
                new Held("unknown", "r1"));
        assertThat(holds().forget(ended)).containsOnly(Map.entry(ids.get(0), PULLED));
        assertThat(holds().forget(ended)).isEmpty();
        assertThat(index().locate(ids)).containsOnlyKeys(ids.get(1), ids.get(2));
        assertThat(holds().topics("", "", 10)).singleElement().satisfies(census -> {
            assertThat(census.ready()).isEqualTo(1);
            assertThat(census.held()).isEqualTo(1);
        });
    }

    @Test
    default void extendsHolds() {
        List<String> ids = due(2);
        long firstEnd = handOut(1, "r1").untilMs();
        Map<String, Long> ends =
                holds().extend(List.of(new Held(ids.get(0), "r1"), new Held(ids.get(1), "r1")), HOLD.multipliedBy(3));
        assertThat(ends).containsOnlyKeys(ids.get(0));
        assertThat(ends.get(ids.get(0))).isGreaterThan(firstEnd + HOLD.toMillis());
        long sooner = holds().extend(List.of(new Held(ids.get(0), "r1")), Duration.ofSeconds(5))
                .get(ids.get(0));
        assertThat(bucket(0).nextDue()).as("a shorter hold, too").isEqualTo(sooner);
        assertThat(holds().extend(List.of(new Held(ids.get(0), "r2")), HOLD)).isEmpty();
    }

    @Test
    default void postponesHeldMessages() {
        List<String> ids = due(2);
        handOut(2, "r1");
        DelayMessage later = message(ids.get(0), PULLED, now() + 300);
        assertThat(holds().postpone(
                                Map.of(
                                        new Held(ids.get(0), "r1"),
                                        later,
                                        new Held(ids.get(1), "r2"),
                                        message(ids.get(1), PULLED, now())),
                                true))
                .containsExactly(ids.get(0));
        assertThat(index().locate(List.of(ids.get(0)))).containsEntry(ids.get(0), Location.WAITING);
        assertThat(bucket(0).nextDue()).isEqualTo(later.dueTimeMs());
        await().until(() -> bucket(0).moveDue(LIMIT, HANDOVER).topics().contains(PULLED));
        assertThat(handOut(1, "r3").messages()).containsExactly(later);
    }

    @Test
    default void aPostponedHeldMessageOfAnotherVersionFallsDueAtOnceAsItIs() {
        String id = due(1).get(0);
        DelayMessage held = handOut(1, "r1").messages().get(0);
        holds().postpone(Map.of(new Held(id, "r1"), message(id, PULLED, far()).asVersion(1)), true);
        await().until(() -> bucket(0).moveDue(LIMIT, HANDOVER).moved() == 1);
        assertThat(handOut(1, "r2").messages()).containsExactly(held);
    }

    /** The number survives what the scripts do to a message, whatever form its value has. */
    @Test
    default void countsHowOftenConsumersHadAMessage() {
        List<String> ids = idsIn(index(), 0, 4);
        long dueMs = now() - 1000;
        MessageExtras extras = ExtrasBuilder.extras()
                .headers(Map.of("tenant", "a"))
                .firstDue(now() - 5000)
                .build();
        for (DelayMessage message : List.of(
                message(ids.get(0), PULLED, dueMs),
                message(ids.get(1), PULLED, dueMs).asVersion(1).withExtras(extras),
                message(ids.get(2), PULLED, dueMs).asVersion(300),
                message(ids.get(3), PULLED, dueMs)
                        .asVersion(301)
                        .withBody("\u4e2d")
                        .withExtras(extras))) {
            assertThat(scheduleOne(message)).isEqualTo(ScheduleOutcome.SCHEDULED);
            movePulled(0);
            for (int times = 0; times < 130; times++) {
                assertHandedOut(message, times);
                assertThat(holds().release(hold(message), true)).hasSize(1);
            }
            assertHandedOut(message, 130);
            assertThat(holds().release(hold(message), false)).hasSize(1);
            assertHandedOut(message, 130);
            DelayMessage later = message.withBody("other content that is due");
            assertThat(holds().postpone(Map.of(hold(message).get(0), later), true))
                    .hasSize(1);
            movePulled(0);
            assertHandedOut(later, 131);
            assertThat(holds().forget(hold(message))).hasSize(1);
        }
    }

    private void assertHandedOut(DelayMessage message, int before) {
        Handout handout = handOut(1, "r");
        assertThat(handout.messages()).containsExactly(message);
        assertThat(handout.handed()).isEqualTo(before == 0 ? Map.of() : Map.of(message.id(), before));
    }

    private static List<Held> hold(DelayMessage message) {
        return List.of(new Held(message.id(), "r"));
    }

    @Test
    default void releasesToTheHeadInOrder() {
        List<String> ids = due(4);
        handOut(3, "r1");
        assertThat(holds().release(
                                List.of(
                                        new Held(ids.get(0), "r1"),
                                        new Held(ids.get(1), "r1"),
                                        new Held(ids.get(2), "another"),
                                        new Held(ids.get(3), "r1")),
                                true))
                .containsExactlyInAnyOrder(ids.get(0), ids.get(1));
        assertThat(index().locate(List.of(ids.get(0)))).containsEntry(ids.get(0), Location.READY);
        assertThat(handOut(10, "r2").messages())
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(0), ids.get(1), ids.get(3));
    }

    @Test
    default void parksOutcomesOfHeldMessages() {
        List<String> ids = due(2);
        handOut(2, "r1");
        assertThat(holds().park(Map.of(
                        new Held(ids.get(0), "r1"), OwnerCalls.outcome(ids.get(0)),
                        new Held(ids.get(1), "r2"), OwnerCalls.outcome(ids.get(1)))))
                .containsOnly(Map.entry(ids.get(0), PULLED));
        assertThat(bucket(0).parked(10)).containsExactly(OwnerCalls.outcome(ids.get(0)));
        assertThat(index().locate(ids)).isEqualTo(Map.of(ids.get(0), Location.PARKED, ids.get(1), Location.TAKEN));
        bucket(0).unpark(List.of(ids.get(0)));
    }

    @Test
    default void aNewerVersionEndsTheHold() {
        String id = due(1).get(0);
        handOut(1, "r1");
        DelayMessage newer = message(id, PULLED, now() - 1000).asVersion(1);
        assertThat(scheduleOne(newer)).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.FREE);
        assertThat(holds().forget(List.of(new Held(id, "r1")))).isEmpty();
        movePulled(0);
        assertThat(handOut(1, "r2").messages()).containsExactly(newer);
        assertThat(scheduleOne(message(id, PULLED, far()))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(holds().holds(List.of(new Held(id, "r2")))).containsEntry(id, HoldState.HELD);
    }
}
