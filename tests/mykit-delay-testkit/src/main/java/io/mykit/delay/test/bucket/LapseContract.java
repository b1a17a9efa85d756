package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScanResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scan of a pulled topic: due messages become ready, and messages whose hold has ended go to the leader. */
interface LapseContract extends PulledTopic {
    Duration SHORT = Duration.ofMillis(200);

    @Test
    default void aFewDueMessagesBecomeReadyAsWell() {
        List<String> ids = idsIn(index(), 0, 4);
        index().schedule(List.of(
                message(ids.get(0), PULLED, now() - 2000),
                message(ids.get(1), "jobs-1", now() - 2000),
                message(ids.get(2), "jobs-by-broker", now() - 2000),
                message(ids.get(3), "plain", now() - 2000)));
        ScanResult scan = movePulled(0, HANDOVER);
        assertThat(scan.moved()).isEqualTo(4);
        assertThat(scan.topics()).containsExactlyInAnyOrder(PULLED, "jobs-1");
        assertThat(scan.taken()).extracting(DelayMessage::id).containsExactlyInAnyOrder(ids.get(2), ids.get(3));
    }

    @Test
    default void aHoldEndsAtItsEnd() {
        String id = due(1).get(0);
        long until = handOut(1, SHORT, "r1").untilMs();
        ScanResult scan = movePulled(0, HANDOVER);
        while (scan.moved() == 0) {
            assertThat(scan.nextDueMs()).isEqualTo(until);
            assertThat(scan.nowMicros() / 1000).isLessThan(until);
            scan = movePulled(0, HANDOVER);
        }
        assertThat(scan.nowMicros() / 1000).isGreaterThanOrEqualTo(until);
        assertThat(scan.topics()).isEmpty();
        assertThat(scan.taken()).extracting(DelayMessage::id).containsExactly(id);
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).isEqualTo(Map.of(PULLED, List.of(id)));
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.FREE);
        assertThat(holds().extend(List.of(new Held(id, "r1")), HOLD)).isEmpty();
        assertThat(handOut(1, "r2").messages()).isEmpty();
    }

    @Test
    default void theLeaderGivesBackWhatItTook() {
        String id = due(1).get(0);
        handOut(1, SHORT, "r1");
        lapsed(bucket(0), 1);
        bucket(0).release(PULLED, List.of(id), false);
        Handout again = handOut(1, SHORT, "r2");
        assertThat(again.messages()).extracting(DelayMessage::id).containsExactly(id);
        assertThat(again.handed()).isEqualTo(Map.of(id, 1));
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.HELD_BY_ANOTHER);
        lapsed(bucket(0), 1);
        bucket(0).postpone(again.messages(), Set.of(id));
        movePulled(0);
        assertThat(handOut(1, "r3").handed()).isEqualTo(Map.of(id, 2));
    }

    @Test
    default void theLeaderTakesAFewAtATime() {
        List<String> ids = due(25);
        handOut(25, SHORT, "r1");
        Set<String> taken = new HashSet<>();
        await().until(() -> {
            List<DelayMessage> some = movePulled(0, HANDOVER).taken();
            assertThat(some).hasSizeLessThanOrEqualTo(HANDOVER.limit());
            some.forEach(message -> assertThat(taken.add(message.id())).isTrue());
            return taken.size() == 25;
        });
        assertThat(taken).containsExactlyInAnyOrderElementsOf(ids);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1000})
    default void holdsOfABusyTopicBecomeLonger(int others) {
        String id = due(1).get(0);
        long until = handOut(1, SHORT, "r1").untilMs();
        List<String> names = Stream.concat(
                        Stream.of(PULLED), IntStream.range(0, others).mapToObj(i -> "other" + i))
                .toList();
        Handover busy = new Handover(names, 10, LEASE, TOPICS);
        await().until(() -> movePulled(0, busy).nowMicros() / 1000 > until);
        ScanResult scan = movePulled(0, busy);
        assertThat(scan.moved()).isZero();
        assertThat(scan.taken()).isEmpty();
        assertThat(scan.nextDueMs()).as("the scanner may rest").isGreaterThan(until + 500);
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.HELD);
        lapsed(bucket(0), 1);
    }

    @Test
    default void aChangeOfTheLeaderLeavesHoldsAlone() {
        String id = due(1).get(0);
        long until = handOut(1, Duration.ofMillis(800), "r1").untilMs();
        OwnedBucket successor = index().claim(0, EPOCH + 1);
        assertThat(successor.leased(Long.MAX_VALUE, 10)).isEmpty();
        assertThat(holds().holds(List.of(new Held(id, "r1")))).containsEntry(id, HoldState.HELD);
        assertThat(successor.nextDue()).isEqualTo(until);
        assertThat(lapsed(successor, 1)).extracting(DelayMessage::id).containsExactly(id);
    }

    @Test
    default void anExtendedHoldOutlivesItsFormerEnd() {
        List<String> ids = due(2);
        handOut(2, SHORT, "r1");
        holds().extend(List.of(new Held(ids.get(0), "r1")), HOLD);
        assertThat(lapsed(bucket(0), 1)).extracting(DelayMessage::id).containsExactly(ids.get(1));
        assertThat(holds().forget(List.of(new Held(ids.get(0), "r1")))).containsOnlyKeys(ids.get(0));
    }

    @Test
    default void aHoldEitherEndsOrIsSettled() throws Exception {
        List<String> ids = due(60);
        handOut(60, SHORT, "r1");
        List<String> settled = Collections.synchronizedList(new ArrayList<>());
        List<String> taken = new ArrayList<>();
        await().until(() -> now() >= bucket(0).nextDue() - 20);
        Races.run(
                () -> ids.subList(0, 30)
                        .forEach(id -> settled.addAll(
                                holds().forget(List.of(new Held(id, "r1"))).keySet())),
                () -> ids.subList(30, 60)
                        .forEach(id -> settled.addAll(holds().extend(List.of(new Held(id, "r1")), HOLD)
                                .keySet())),
                () -> {
                    for (int scans = 0; scans < 30; scans++) {
                        movePulled(0, new Handover(List.of(), 3, LEASE, TOPICS))
                                .taken()
                                .forEach(message -> taken.add(message.id()));
                    }
                });
        while (settled.size() + taken.size() < 60) {
            lapsed(bucket(0), 1).forEach(message -> taken.add(message.id()));
        }
        List<String> all = new ArrayList<>(settled);
        all.addAll(taken);
        assertThat(all).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void tellsListenersOfReadyMessagesHereAndOnOtherNodes() {
        Set<String> here = ConcurrentHashMap.newKeySet();
        Set<String> there = ConcurrentHashMap.newKeySet();
        holds().onReady((bucket, topic) -> here.add(bucket + topic));
        try (MessageIndex other = otherNode()) {
            other.holds().onReady((bucket, topic) -> there.add(bucket + topic));
            String id = idsIn(index(), 3, 1).get(0);
            // The subscription of the other node may not stand yet: it stands when the first notice arrives.
            await().until(() -> {
                index().purge(Refs.first(id));
                scheduleOne(message(id, "jobs of a kind", now() - 1000));
                movePulled(3);
                return there.contains("3jobs of a kind");
            });
            assertThat(here).containsExactly("3jobs of a kind");
            due(1);
            await().until(() -> there.contains("0p"));
            assertThat(here).contains("0p");
            here.clear();
            there.clear();
            String held = handOut(1, "r1").messages().get(0).id();
            assertThat(holds().release(List.of(new Held(held, "r1")), true)).hasSize(1);
            await().until(() -> there.contains("0p"));
            assertThat(here).containsExactly("0p");
        }
    }

    /** Hands the bucket's scan to the leader until it has taken so many. */
    private Collection<DelayMessage> lapsed(OwnedBucket bucket, int count) {
        List<DelayMessage> taken = new ArrayList<>();
        await().until(() -> {
            taken.addAll(bucket.moveDue(LIMIT, HANDOVER).taken());
            return taken.size() >= count;
        });
        return taken;
    }
}
