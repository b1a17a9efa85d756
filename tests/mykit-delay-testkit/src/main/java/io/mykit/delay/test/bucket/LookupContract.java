package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The calls of any node: messages are put into the index, found, and taken out. */
interface LookupContract extends IndexUnderTest {
    @Test
    default void schedulesAndFinds() {
        List<DelayMessage> messages = IntStream.range(0, 1200)
                .mapToObj(i -> message("id" + i, "t", far()))
                .toList();
        assertThat(index().schedule(messages)).hasSize(1200).containsOnly(ScheduleOutcome.SCHEDULED);
        assertThat(IntStream.range(0, 4)
                        .mapToLong(b -> index().census(b).waiting())
                        .sum())
                .isEqualTo(1200);
        assertThat(IntStream.range(0, 4).mapToLong(b -> index().census(b).waiting()))
                .as("evenly spread")
                .allMatch(waiting -> waiting > 200);
        List<String> ids =
                new ArrayList<>(messages.stream().map(DelayMessage::id).toList());
        ids.add("unknown");
        assertThat(index().locate(ids))
                .hasSize(1200)
                .doesNotContainKey("unknown")
                .containsValue(Location.WAITING);
        assertThat(index().unknown(Refs.first(ids))).containsExactly("unknown");
        assertThat(index().schedule(List.of())).isEmpty();
        assertThat(index().purge(Refs.first(ids))).isEmpty();
        assertThat(index().locate(ids)).isEmpty();
    }

    @Test
    default void leavesWhatItKnowsAlone() {
        String id = idsIn(index(), 1, 1).get(0);
        DelayMessage first = message(id, "t", now() - 1005);
        assertThat(index().schedule(List.of(first, message(id, "other", far()))))
                .containsExactly(ScheduleOutcome.SCHEDULED, ScheduleOutcome.KNOWN);
        move(1);
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(take(1, "t")).containsExactly(first);
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index().locate(List.of(id))).containsEntry(id, Location.TAKEN);
        assertThat(index().near()).isEqualTo(new NearCount(1, 1, 0));
        bucket(1).park(List.of(OwnerCalls.outcome(id)));
        assertThat(index().near()).isEqualTo(new NearCount(0, 0, 1));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.DELIVERED);
        assertThat(index().unknown(Refs.first(id))).isEmpty();
        bucket(1).unpark(List.of(id));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    default void removesWhatWaits() {
        String id = idsIn(index(), 3, 1).get(0);
        DelayMessage message = message(id, "t", now() + 200);
        scheduleOne(message);
        assertThat(index().remove(id)).isEqualTo(Removal.of(message, false, false));
        assertThat(index().remove(id)).isEqualTo(Removal.VETOED);
        assertThat(index().putBack(message, false)).isEqualTo(ScheduleOutcome.SCHEDULED);
        await().until(() -> bucket(3).moveDue(LIMIT, Handover.NONE).moved() == 1);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(take(3, "t")).hasSize(1);
        assertThat(index().remove(id)).isEqualTo(Removal.TOO_LATE);
        bucket(3).settle(List.of(id));
        assertThat(index().remove(id)).isEqualTo(Removal.UNKNOWN);
    }

    @Test
    default void eitherRemovesOrMoves() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 100; round++) {
                List<String> ids = idsIn(index(), 0, 20);
                ids.forEach(id -> index().putBack(message(id, "t", now() - 1000), false));
                CountDownLatch go = new CountDownLatch(1);
                Future<Integer> removed = threads.submit(() -> {
                    go.await();
                    List<String> backwards = new ArrayList<>(ids);
                    Collections.reverse(backwards);
                    return (int) backwards.stream()
                            .filter(id -> index().remove(id).kind() == Removal.Kind.REMOVED)
                            .count();
                });
                Future<Integer> moved = threads.submit(() -> {
                    go.await();
                    int sum = 0;
                    for (int i = 0; i < 20; i++) {
                        sum += bucket(0).moveDue(1, Handover.NONE).moved();
                    }
                    return sum;
                });
                go.countDown();
                assertThat(removed.get() + moved.get()).isEqualTo(20);
                List<DelayMessage> taken = take(0, "t");
                assertThat(taken).hasSize(moved.get());
                bucket(0).settle(taken.stream().map(DelayMessage::id).toList());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    default void purgesWhereverTheyAre() {
        List<String> ids = idsIn(index(), 0, 3);
        index().schedule(List.of(message(ids.get(0), "t", now() - 1002), message(ids.get(1), "t", now() - 1000)));
        move(0);
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 1, LEASE)).hasSize(1);
        scheduleOne(message(ids.get(2), "t", far()));
        assertThat(index().purge(Refs.first(ids))).containsExactly(ids.get(0));
        assertThat(index().locate(ids)).containsOnlyKeys(ids.get(0));
        assertThat(take(0, "t")).isEmpty();
        assertThat(bucket(0).ready()).isEmpty();
    }

    @Test
    default void isNotEarlyAfterPurgeAndPushAgain() {
        List<String> ids = idsIn(index(), 0, 2);
        index().schedule(ids.stream().map(id -> message(id, "t", now() - 1000)).toList());
        move(0);
        index().purge(Refs.first(ids));
        // The ready list of t still has both.
        scheduleOne(message(ids.get(0), "t", far()));
        DelayMessage other = message(ids.get(1), "other", now() - 1000);
        scheduleOne(other);
        move(0);
        assertThat(take(0, "t")).isEmpty();
        assertThat(index().locate(ids)).containsEntry(ids.get(0), Location.WAITING);
        assertThat(take(0, "other")).containsExactly(other);
    }

    @Test
    default void aLongListIsTakenInOrderWithoutPurgedMessages() {
        long dueMs = now() - 1000;
        List<String> ids = new ArrayList<>(idsIn(index(), 0, 120));
        Collections.sort(ids);
        index().schedule(ids.stream().map(id -> message(id, "t", dueMs)).toList());
        move(0);
        List<String> purged = List.of(ids.get(15), ids.get(16), ids.get(70));
        index().purge(Refs.first(purged));
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            OwnerCalls.take(index(), bucket(0), "t", 100, LEASE).forEach(message -> taken.add(message.id()));
        }
        ids.removeAll(purged);
        assertThat(taken).containsExactlyElementsOf(ids);
    }

    @Test
    default void isTakenOnceAfterPurgeAndPushAgain() {
        String id = idsIn(index(), 0, 1).get(0);
        for (int i = 0; i < 3; i++) {
            index().purge(Refs.first(id));
            scheduleOne(message(id, "t", now() - 1000));
            move(0);
        }
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 1, LEASE)).hasSize(1);
        assertThat(take(0, "t")).isEmpty();
        bucket(0).settle(List.of(id));
        assertThat(index().locate(List.of(id))).isEmpty();
    }

    @Test
    default void tellsListenersHereAndOnOtherNodes() {
        Set<Integer> here = ConcurrentHashMap.newKeySet();
        Set<Integer> there = ConcurrentHashMap.newKeySet();
        index().onEarlier(here::add);
        try (MessageIndex other = otherNode()) {
            other.onEarlier(there::add);
            String first = idsIn(index(), 3, 1).get(0);
            // Its subscription may still be on its way: the first that arrives shows that it stands.
            await().until(() -> {
                index().purge(Refs.first(first));
                scheduleOne(message(first, "t", far()));
                return there.contains(3);
            });
            assertThat(here).contains(3);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            here.clear();
            there.clear();
            scheduleOne(message(idsIn(index(), 3, 2).get(1), "t", far() + 1000));
            scheduleOne(message(idsIn(index(), 2, 1).get(0), "t", far()));
            await().until(() -> there.contains(2));
            assertThat(here).containsExactly(2);
            assertThat(there).as("a later one wakes nobody").containsExactly(2);
            String taken = oneTaken();
            there.clear();
            bucket(0).postpone(List.of(message(taken, "t", now() + 60_000)), Set.of());
            await().until(() -> there.contains(0));
        }
    }

    @Test
    default void theOtherNodesAreToldOfSettings() {
        AtomicInteger there = new AtomicInteger();
        Set<String> ready = ConcurrentHashMap.newKeySet();
        try (MessageIndex other = otherNode()) {
            other.onTopics(there::incrementAndGet);
            other.holds().onReady((bucket, topic) -> ready.add(topic));
            // The subscription of the other node may not stand yet. It tells the listener, too, when it begins.
            await().until(() -> {
                index().announceTopics();
                return there.get() > 0;
            });
            int before = there.get();
            index().announceTopics();
            await().until(() -> there.get() > before);
            assertThat(ready).isEmpty();
        }
    }

    @Test
    default void theOtherNodesAreToldOfATopicToTryNow() {
        Set<String> there = ConcurrentHashMap.newKeySet();
        Set<String> here = ConcurrentHashMap.newKeySet();
        Set<String> ready = ConcurrentHashMap.newKeySet();
        try (MessageIndex other = otherNode()) {
            other.onRetry(there::add);
            other.holds().onReady((bucket, topic) -> ready.add(topic));
            index().onRetry(here::add);
            // The subscription of the other node may not stand yet.
            await().until(() -> {
                index().announceRetry("orders and more");
                return there.contains("orders and more");
            });
            assertThat(here).isEmpty();
            assertThat(ready).isEmpty();
        }
    }
}
