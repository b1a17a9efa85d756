package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.ScanResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The owner of a bucket moves due messages, neither early nor out of order. */
interface ScanContract extends IndexUnderTest {
    @Test
    default void isNeverEarly() {
        for (int round = 0; round < 3; round++) {
            String id = idsIn(index(), 0, round + 1).get(round);
            long due = now() + 1_000;
            scheduleOne(message(id, "t", due, 9 - round));
            assertThat(bucket(0).nextDue()).isEqualTo(due);
            ScanResult scan = bucket(0).moveDue(LIMIT, Handover.NONE);
            assertThat(scan.nextDueMs()).isEqualTo(due);
            while (scan.moved() == 0) {
                assertThat(scan.nowMicros() / 1000).isLessThan(due);
                scan = bucket(0).moveDue(LIMIT, Handover.NONE);
            }
            assertThat(scan.nowMicros() / 1000).isBetween(due, due + 10_000);
            assertThat(scan.topics()).containsExactly("t");
            assertThat(scan.nextDueMs()).isEqualTo(-1);
            assertThat(bucket(0).nextDue()).isEqualTo(-1);
        }
    }

    @Test
    default void keepsDueOrderAndPriorityInsideOneMillisecond() {
        List<String> ids = idsIn(index(), 2, 20);
        long due = now() - 1000;
        List<DelayMessage> expected = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            expected.add(message(ids.get(i), "t", due, 9 - i));
        }
        for (int i = 10; i < 20; i++) {
            // The lowest priority of an earlier millisecond goes before the highest of a later one.
            expected.add(message(ids.get(i), "t", due + i, i % 2 == 0 ? 0 : 9));
        }
        List<DelayMessage> shuffled = new ArrayList<>(expected);
        Collections.shuffle(shuffled, new Random(7));
        index().schedule(shuffled);
        move(2);
        assertThat(take(2, "t")).containsExactlyElementsOf(expected);
    }

    @Test
    default void takesAFewAtOnceOfTheTopicsWanted() {
        List<String> ids = idsIn(index(), 0, 5);
        scheduleOne(message(ids.get(0), "wanted", now() - 1010));
        scheduleOne(message(ids.get(1), "other", now() - 1010));
        Handover handover = new Handover(List.of("other"), 2, LEASE);
        List<DelayMessage> taken = new ArrayList<>();
        Set<String> filled = new HashSet<>();
        for (int moved = 0; moved < 2; ) {
            ScanResult scan = bucket(0).moveDue(LIMIT, handover);
            moved += scan.moved();
            taken.addAll(scan.taken());
            filled.addAll(scan.topics());
        }
        assertThat(taken).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(ids.get(0));
            assertThat(message.topic()).isEqualTo("wanted");
        });
        assertThat(filled).containsExactly("other");
        assertThat(bucket(0).leased(Long.MAX_VALUE, 10)).containsExactly(Map.entry("wanted", List.of(ids.get(0))));
        bucket(0).settle(List.of(ids.get(0)));
        assertThat(index().locate(ids)).containsOnlyKeys(ids.get(1));
        // More than a few messages go into their ready list, and so do the messages after them.
        index().schedule(ids.subList(2, 5).stream()
                .map(id -> message(id, "wanted", now() - 1010))
                .toList());
        assertThat(bucket(0).moveDue(LIMIT, handover).taken()).isEmpty();
        scheduleOne(message(ids.get(0), "wanted", now() - 1010));
        assertThat(bucket(0).moveDue(LIMIT, handover).taken()).isEmpty();
        assertThat(bucket(0).ready()).containsEntry("wanted", 4L);
    }

    /** Beyond a number of names, a scan gets those only that it can meet. */
    @Test
    default void takesNothingOfBusyTopicsHoweverManyThereAre() {
        List<String> ids = idsIn(index(), 0, 600);
        List<String> busy = IntStream.range(0, 20_000).mapToObj(i -> "busy" + i).toList();
        List<DelayMessage> due = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            due.add(message(ids.get(i), i % 3 == 0 ? "free" + i : busy.get(i), now() - 5000 + i));
        }
        index().schedule(due);
        Handover handover = new Handover(busy, 10, LEASE);
        List<DelayMessage> taken = new ArrayList<>();
        Set<String> filled = new HashSet<>();
        for (int moved = 0; moved < ids.size(); ) {
            ScanResult scan = bucket(0).moveDue(70, handover);
            moved += scan.moved();
            taken.addAll(scan.taken());
            filled.addAll(scan.topics());
        }
        assertThat(taken).hasSize(200).allMatch(message -> message.topic().startsWith("free"));
        assertThat(filled).hasSize(400).allMatch(busy::contains);
    }

    @Test
    default void aTopicThatIsFarBehindHoldsUpNoOther() {
        List<String> ids = idsIn(index(), 0, 1003);
        index().schedule(ids.subList(0, 1000).stream()
                .map(id -> message(id, "loud", now() - 5000))
                .toList());
        index().schedule(ids.subList(1000, 1003).stream()
                .map(id -> message(id, "quiet", now() - 1010))
                .toList());
        assertThat(bucket(0).moveDue(100, Handover.NONE).moved()).isEqualTo(100);
        assertThat(bucket(0).ready()).containsOnly(Map.entry("quiet", 3L), Map.entry("loud", 97L));
        assertThat(bucket(0).readyTopics()).containsExactlyInAnyOrder("quiet", "loud");
        assertThat(index().census(0).waiting()).isEqualTo(903);
    }

    @Test
    default void respectsLimits() {
        List<String> ids = idsIn(index(), 0, 25);
        index().schedule(ids.stream().map(id -> message(id, "t", now() - 1010)).toList());
        assertThat(bucket(0).moveDue(10, Handover.NONE).moved()).isEqualTo(10);
        assertThat(bucket(0).ready()).containsExactly(Map.entry("t", 10L));
        assertThat(index().census(0).waiting()).isEqualTo(15);
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 4, LEASE)).hasSize(4);
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 100, LEASE)).hasSize(6);
        assertThat(OwnerCalls.take(index(), bucket(0), "t", 100, LEASE)).isEmpty();
        assertThat(OwnerCalls.take(index(), bucket(0), "no such topic", 100, LEASE))
                .isEmpty();
        assertThat(bucket(0).ready()).isEmpty();
        assertThat(bucket(0).leased(Long.MAX_VALUE, 7))
                .hasEntrySatisfying("t", l -> assertThat(l).hasSize(7));
    }

    @Test
    default void getsOnWithThousandsOfTopics() {
        List<String> ids = idsIn(index(), 0, 3000);
        index().schedule(IntStream.range(0, 3000)
                .mapToObj(i -> message(ids.get(i), "topic-" + i, now() - 1000))
                .toList());
        int moved = 0;
        for (int calls = 0; moved < 3000; calls++) {
            ScanResult scan = bucket(0).moveDue(LIMIT, Handover.NONE);
            assertThat(scan.moved()).as("each scan gets on").isPositive();
            assertThat(calls).isLessThan(40);
            moved += scan.moved();
        }
        assertThat(bucket(0).ready()).hasSize(3000).containsEntry("topic-2999", 1L);
        assertThat(take(0, "topic-1234").get(0).id()).isEqualTo(ids.get(1234));
    }

    @Test
    default void listsWhatWaits() {
        List<String> ids = idsIn(index(), 0, 2500);
        index().schedule(IntStream.range(0, 2500)
                .mapToObj(i -> message(ids.get(i), i % 2 == 0 ? "even" : "odd", far() + i))
                .toList());
        Set<String> listed = new HashSet<>();
        bucket(0).forEachWaiting(page -> {
            assertThat(page).hasSizeLessThan(2000);
            listed.addAll(page);
        });
        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        bucket(1)
                .forEachWaiting(
                        page -> assertThat(page).as("of an empty bucket").isNull());
    }
}
