package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Messages that consumers pull, from their hand-out to their end. */
interface HoldContract extends PulledTopic {
    @Test
    default void handsOutUnderAHold() {
        List<String> ids = due(3);
        assertThat(holds().ready(PULLED)).isEqualTo(Map.of(0, 3L));
        long before = now();
        Handout first = handOut(2, "r1");
        assertThat(first.messages()).extracting(DelayMessage::id).containsExactlyElementsOf(ids.subList(0, 2));
        assertThat(first.messages().get(0).body()).isEqualTo("body of " + ids.get(0));
        assertThat(first.more()).isTrue();
        assertThat(first.suspect()).isFalse();
        assertThat(first.untilMs()).isBetween(before + HOLD.toMillis() - 500, now() + HOLD.toMillis() + 500);
        assertThat(bucket(0).nextDue()).isEqualTo(first.untilMs());
        assertThat(index().locate(ids))
                .isEqualTo(Map.of(ids.get(0), Location.TAKEN, ids.get(1), Location.TAKEN, ids.get(2), Location.READY));
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10))
                .as("a hold is no lease of the leader")
                .isEmpty();
        assertThat(bucket(0).strays()).isZero();
        assertThat(handOut(2, "r2")).satisfies(second -> {
            assertThat(second.messages()).extracting(DelayMessage::id).containsExactly(ids.get(2));
            assertThat(second.more()).isFalse();
        });
        assertThat(handOut(2, "r3").messages()).isEmpty();
    }

    @Test
    default void handsOutOfSeveralBuckets() {
        List<String> ids =
                List.of(idsIn(index(), 3, 1).get(0), idsIn(index(), 1, 1).get(0));
        for (String id : ids) {
            scheduleOne(message(id, PULLED, now() - 1000));
            movePulled(index().bucketOf(id));
        }
        List<Handout> handouts = holds().handOut(List.of(3, 2, 1), PULLED, 10, HOLD, "r");
        assertThat(handouts).extracting(Handout::bucket).containsExactly(3, 2, 1);
        assertThat(handouts.stream().flatMap(handout -> handout.messages().stream()))
                .extracting(DelayMessage::id)
                .containsExactlyElementsOf(ids);
        assertThat(holds().buckets()).isEqualTo(BUCKETS);
    }

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
    default void nothingElseMovesAHeldMessage() {
        String id = due(1).get(0);
        handOut(1, "r1");
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(index().purge(Refs.first(id))).containsExactly(id);
        assertThat(index().veto(Refs.first(id))).containsExactly(id);
        assertThat(index().unknown(Refs.first(id))).isEmpty();
        assertThat(scheduleOne(message(id, PULLED, far()))).isEqualTo(ScheduleOutcome.KNOWN);
        bucket(0).settle(List.of(id));
        bucket(0).release(PULLED, List.of(id));
        bucket(0).postpone(List.of(message(id, PULLED, far())));
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
        assertThat(holds().forget(ended)).containsExactly(ids.get(0));
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
        assertThat(holds().postpone(Map.of(
                        new Held(ids.get(0), "r1"),
                        later,
                        new Held(ids.get(1), "r2"),
                        message(ids.get(1), PULLED, now()))))
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
        holds().postpone(Map.of(new Held(id, "r1"), message(id, PULLED, far()).asVersion(1)));
        await().until(() -> bucket(0).moveDue(LIMIT, HANDOVER).moved() == 1);
        assertThat(handOut(1, "r2").messages()).containsExactly(held);
    }

    @Test
    default void releasesToTheHeadInOrder() {
        List<String> ids = due(4);
        handOut(3, "r1");
        assertThat(holds().release(List.of(
                        new Held(ids.get(0), "r1"),
                        new Held(ids.get(1), "r1"),
                        new Held(ids.get(2), "another"),
                        new Held(ids.get(3), "r1"))))
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
                .containsExactly(ids.get(0));
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

    @Test
    default void passesOverPurgedMessages() {
        List<String> ids = due(5);
        index().purge(Refs.first(ids.subList(0, 3)));
        scheduleOne(message(ids.get(0), PULLED, far()));
        Handout handout = handOut(1, "r1");
        assertThat(handout.messages()).extracting(DelayMessage::id).containsExactly(ids.get(3));
        assertThat(handOut(5, "r2").messages()).extracting(DelayMessage::id).containsExactly(ids.get(4));
        assertThat(index().locate(ids.subList(0, 3))).isEqualTo(Map.of(ids.get(0), Location.WAITING));
    }

    @Test
    default void handsOutByDueTimeAndPriority() {
        List<String> ids = idsIn(index(), 0, 4);
        long due = now() - 1000;
        index().schedule(List.of(
                message(ids.get(0), PULLED, due + 1, 9),
                message(ids.get(1), PULLED, due, 0),
                message(ids.get(2), PULLED, due, 9),
                message(ids.get(3), PULLED, due - 1, 0)));
        movePulled(0);
        assertThat(handOut(4, "r1").messages())
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(3), ids.get(2), ids.get(1), ids.get(0));
    }

    @Test
    default void listsTopics() {
        due(3);
        handOut(1, "r1");
        List<String> others = idsIn(index(), 1, 3);
        index().schedule(List.of(
                message(others.get(0), PULLED, far()),
                message(others.get(1), "a", far()),
                message(others.get(2), "pb", far())));
        assertThat(holds().topics("", "", 10))
                .extracting(census -> census.topic())
                .containsExactly("a", PULLED, "pb");
        assertThat(holds().topics("p", "", 1)).singleElement().satisfies(census -> {
            assertThat(census.topic()).isEqualTo(PULLED);
            assertThat(census.waiting()).isEqualTo(1);
            assertThat(census.ready()).isEqualTo(2);
            assertThat(census.held()).isEqualTo(1);
        });
        assertThat(holds().topics("p", PULLED, 10))
                .extracting(census -> census.topic())
                .containsExactly("pb");
        assertThat(holds().topics("q", "", 10)).isEmpty();
    }

    @Test
    default void peeks() {
        List<String> ids = due(4);
        handOut(1, "r1");
        index().purge(Refs.first(ids.get(1)));
        String elsewhere = idsIn(index(), 2, 1).get(0);
        scheduleOne(message(elsewhere, PULLED, far()));
        assertThat(holds().peek(PULLED, Location.READY, 1))
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(2));
        assertThat(holds().peek(PULLED, Location.READY, 9))
                .extracting(DelayMessage::id)
                .containsExactly(ids.get(2), ids.get(3));
        assertThat(holds().peek(PULLED, Location.WAITING, 9))
                .extracting(DelayMessage::id)
                .containsExactly(elsewhere);
        assertThat(holds().peek("other", Location.READY, 9)).isEmpty();
        assertThat(index().locate(ids)).hasSize(3);
    }

    @Test
    default void twoConsumersNeverGetTheSameMessage() throws Exception {
        List<String> ids = due(200);
        List<String> handedOut = new ArrayList<>();
        Races.run(
                () -> handOutAll("r1", handedOut),
                () -> handOutAll("r2", handedOut),
                () -> handOutAll("r3", handedOut));
        assertThat(handedOut).containsExactlyInAnyOrderElementsOf(ids);
    }

    private void handOutAll(String receipt, List<String> into) {
        for (List<DelayMessage> some = handOut(7, receipt).messages();
                !some.isEmpty();
                some = handOut(7, receipt).messages()) {
            synchronized (into) {
                some.forEach(message -> into.add(message.id()));
            }
        }
    }

    @Test
    default void aMessageIsEitherTakenOutOrHandedOut() throws Exception {
        List<String> ids = due(100);
        List<String> stay = new ArrayList<>();
        List<String> handedOut = new ArrayList<>();
        Races.run(
                () -> ids.forEach(id -> stay.addAll(index().purge(Refs.first(id)))), () -> handOutAll("r1", handedOut));
        assertThat(stay).allMatch(handedOut::contains);
        assertThat(index().locate(ids)).containsOnlyKeys(handedOut);
        assertThat(Set.copyOf(stay)).isEqualTo(Set.copyOf(handedOut));
    }
}
