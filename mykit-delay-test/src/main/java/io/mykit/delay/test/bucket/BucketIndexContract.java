package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageIds;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.Removal;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.server.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link BucketIndex} does. Each test has a queue of its own on a server that it shares with others. */
public abstract class BucketIndexContract {
    private static final AtomicInteger QUEUES = new AtomicInteger();
    private static final long EPOCH = 9_007_199_254_740_000L;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int LIMIT = 500;

    private IndexSettings settings;
    private BucketIndex index;
    private RedisView view;
    private Set<String> keysBefore;

    protected abstract String uri();

    /** The servers that have the keys. */
    protected abstract List<RedisServer> masters();

    @BeforeEach
    void open() {
        settings = new IndexSettings(uri(), "q" + QUEUES.incrementAndGet());
        view = new RedisView(masters(), settings.prefix(), settings.name(), settings.bucketSize());
        view.loseEverything();
        keysBefore = view.allKeys();
        index = settings.open();
        for (int b = 0; b < index.buckets(); b++) {
            assertThat(index.claim(b, EPOCH)).isEqualTo(ClaimResult.LOST);
            index.markRestored(b, EPOCH);
        }
    }

    @AfterEach
    void close() {
        index.close();
        view.assertNoOrphans();
        Set<String> others = view.allKeys();
        others.removeAll(view.keys());
        assertThat(keysBefore).as("keys of others").containsAll(others);
        view.loseEverything();
    }

    @Test
    void schedulesAndFinds() {
        List<DelayMessage> messages = IntStream.range(0, 1200)
                .mapToObj(i -> message("id" + i, "t", far()))
                .toList();
        assertThat(index.schedule(messages)).hasSize(1200).containsOnly(ScheduleOutcome.SCHEDULED);
        assertThat(IntStream.range(0, 4).mapToLong(index::waiting).sum()).isEqualTo(1200);
        assertThat(IntStream.range(0, 4).mapToLong(index::waiting))
                .as("evenly spread")
                .allMatch(waiting -> waiting > 200);
        List<String> ids =
                new ArrayList<>(messages.stream().map(DelayMessage::id).toList());
        ids.add("unknown");
        assertThat(index.locate(ids)).hasSize(1200).doesNotContainKey("unknown").containsValue(Location.WAITING);
        assertThat(index.unknown(Refs.first(ids))).containsExactly("unknown");
        assertThat(index.schedule(List.of())).isEmpty();
        assertThat(index.purge(Refs.first(ids))).isEmpty();
        assertThat(index.locate(ids)).isEmpty();
    }

    @Test
    void leavesWhatItKnowsAlone() {
        String id = idsIn(index, 1, 1).get(0);
        DelayMessage first = message(id, "t", now() - 1005);
        assertThat(index.schedule(List.of(first, message(id, "other", far()))))
                .containsExactly(ScheduleOutcome.SCHEDULED, ScheduleOutcome.KNOWN);
        move(1);
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(take(1, "t")).containsExactly(first);
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index.locate(List.of(id))).containsEntry(id, Location.TAKEN);
        index.park(1, EPOCH, List.of(LeaderCalls.outcome(id)));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.DELIVERED);
        assertThat(index.unknown(Refs.first(id))).isEmpty();
        index.unpark(1, EPOCH, List.of(id));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void whatIsVetoedIsNotScheduledUntilThatIsLifted() {
        List<String> ids = idsIn(index, 1, 4);
        String vetoed = ids.get(0);
        String other = ids.get(1);
        String waiting = ids.get(2);
        String parked = ids.get(3);
        scheduleOne(message(waiting, "t", far()));
        index.park(1, EPOCH, List.of(LeaderCalls.outcome(parked)));

        assertThat(index.veto(Refs.first(ids.subList(0, 1)))).isEmpty();
        assertThat(index.veto(Refs.first(vetoed, waiting, parked))).containsExactlyInAnyOrder(waiting, parked);
        assertThat(index.schedule(List.of(message(vetoed, "t", now() - 1000), message(other, "t", far()))))
                .containsExactly(ScheduleOutcome.VETOED, ScheduleOutcome.SCHEDULED);
        assertThat(index.locate(ids)).doesNotContainKey(vetoed).containsEntry(waiting, Location.WAITING);
        assertThat(index.moveDue(1, EPOCH, LIMIT, Handover.NONE).moved()).isZero();
        assertThat(index.remove(vetoed)).isEqualTo(Removal.UNKNOWN);
        assertThat(index.remove(waiting).kind()).isEqualTo(Removal.Kind.REMOVED);
        assertThat(scheduleOne(message(waiting, "t", far())))
                .as("its row is about to change")
                .isEqualTo(ScheduleOutcome.VETOED);
        assertThat(index.putBack(message(waiting, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);

        index.lift(new MessageRef(vetoed, 0));
        index.lift(new MessageRef(other, 0));
        assertThat(scheduleOne(message(vetoed, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void aNewerVersionTakesThePlaceOfOneThatWaits() {
        List<String> ids = idsIn(index, 1, 2);
        String waiting = ids.get(0);
        String due = ids.get(1);
        scheduleOne(message(waiting, "t", far()));
        DelayMessage sooner = message(waiting, "other", now() - 1000).asVersion(2);
        assertThat(index.unknown(List.of(sooner.ref()))).containsExactly(waiting);
        assertThat(scheduleOne(sooner)).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index.unknown(List.of(sooner.ref(), new MessageRef(waiting, 1))))
                .isEmpty();
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(1)))
                .as("an older one that comes late")
                .isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index.nextDue(1, EPOCH)).isEqualTo(sooner.dueTimeMs());
        assertThat(index.waiting(1)).isEqualTo(1);
        move(1);
        assertThat(take(1, "other")).containsExactly(sooner);
        assertThat(scheduleOne(message(waiting, "t", far()).asVersion(3)))
                .as("its delivery has begun")
                .isEqualTo(ScheduleOutcome.KNOWN);

        scheduleOne(message(due, "t", now() - 1000));
        move(1);
        assertThat(scheduleOne(message(due, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.KNOWN);
        assertThat(index.locate(List.of(due))).containsEntry(due, Location.READY);
    }

    @Test
    void aVetoIsAboutAVersionAndThoseBeforeIt() {
        String id = idsIn(index, 1, 1).get(0);
        assertThat(index.veto(List.of(new MessageRef(id, 1)))).isEmpty();
        assertThat(index.veto(List.of(new MessageRef(id, 0)))).isEmpty();
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.VETOED);
        assertThat(scheduleOne(message(id, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.VETOED);
        index.lift(new MessageRef(id, 0));
        assertThat(scheduleOne(message(id, "t", far()).asVersion(1)))
                .as("that was another veto")
                .isEqualTo(ScheduleOutcome.VETOED);
        assertThat(scheduleOne(message(id, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index.remove(id).message().version()).isEqualTo(2);
        index.lift(new MessageRef(id, 2));
        assertThat(scheduleOne(message(id, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
    }

    @Test
    void anOutcomeAndAPurgeAreAboutAVersion() {
        List<String> ids = idsIn(index, 1, 2);
        String delivered = ids.get(0);
        String purged = ids.get(1);
        index.park(1, EPOCH, List.of(LeaderCalls.outcome(delivered, 1)));
        assertThat(index.parked(1, 10)).containsExactly(LeaderCalls.outcome(delivered, 1));
        assertThat(scheduleOne(message(delivered, "t", far()).asVersion(1))).isEqualTo(ScheduleOutcome.DELIVERED);
        assertThat(index.remove(delivered)).isEqualTo(Removal.DELIVERED);
        assertThat(index.unknown(List.of(new MessageRef(delivered, 1)))).isEmpty();
        assertThat(index.unknown(List.of(new MessageRef(delivered, 2)))).containsExactly(delivered);
        assertThat(index.purge(List.of(new MessageRef(delivered, 1)))).containsExactly(delivered);
        assertThat(scheduleOne(message(delivered, "t", far()).asVersion(2))).isEqualTo(ScheduleOutcome.SCHEDULED);
        assertThat(index.purge(List.of(new MessageRef(delivered, 2)))).isEmpty();

        scheduleOne(message(purged, "t", far()).asVersion(2));
        assertThat(index.purge(List.of(new MessageRef(purged, 1)))).isEmpty();
        assertThat(index.locate(List.of(purged))).containsEntry(purged, Location.WAITING);
        assertThat(index.purge(List.of(new MessageRef(purged, 2)))).isEmpty();
        assertThat(index.locate(List.of(purged))).isEmpty();
    }

    @Test
    void isNeverEarly() {
        for (int round = 0; round < 3; round++) {
            String id = idsIn(index, 0, round + 1).get(round);
            long due = now() + 300;
            scheduleOne(message(id, "t", due, 9 - round));
            assertThat(index.nextDue(0, EPOCH)).isEqualTo(due);
            ScanResult scan = index.moveDue(0, EPOCH, LIMIT, Handover.NONE);
            assertThat(scan.nextDueMs()).isEqualTo(due);
            while (scan.moved() == 0) {
                assertThat(scan.nowMicros() / 1000).isLessThan(due);
                scan = index.moveDue(0, EPOCH, LIMIT, Handover.NONE);
            }
            assertThat(scan.nowMicros() / 1000).isBetween(due, due + 1500);
            assertThat(scan.topics()).containsExactly("t");
            assertThat(scan.nextDueMs()).isEqualTo(-1);
            assertThat(index.nextDue(0, EPOCH)).isEqualTo(-1);
        }
    }

    @Test
    void keepsDueOrderAndPriorityInsideOneMillisecond() {
        List<String> ids = idsIn(index, 2, 20);
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
        index.schedule(shuffled);
        move(2);
        assertThat(take(2, "t")).containsExactlyElementsOf(expected);
    }

    @Test
    void takesAFewAtOnceOfTheTopicsWanted() {
        List<String> ids = idsIn(index, 0, 5);
        scheduleOne(message(ids.get(0), "wanted", now() - 1010));
        scheduleOne(message(ids.get(1), "other", now() - 1010));
        Handover handover = new Handover(List.of("other"), 2, LEASE);
        List<DelayMessage> taken = new ArrayList<>();
        Set<String> filled = new HashSet<>();
        for (int moved = 0; moved < 2; ) {
            ScanResult scan = index.moveDue(0, EPOCH, LIMIT, handover);
            moved += scan.moved();
            taken.addAll(scan.taken());
            filled.addAll(scan.topics());
        }
        assertThat(taken).singleElement().satisfies(message -> {
            assertThat(message.id()).isEqualTo(ids.get(0));
            assertThat(message.topic()).isEqualTo("wanted");
        });
        assertThat(filled).containsExactly("other");
        assertThat(index.leased(0, Long.MAX_VALUE, 10)).containsExactly(Map.entry("wanted", List.of(ids.get(0))));
        index.settle(0, EPOCH, List.of(ids.get(0)));
        assertThat(index.locate(ids)).containsOnlyKeys(ids.get(1));
        // More than a few go into their list, and so does what comes after them.
        index.schedule(ids.subList(2, 5).stream()
                .map(id -> message(id, "wanted", now() - 1010))
                .toList());
        assertThat(index.moveDue(0, EPOCH, LIMIT, handover).taken()).isEmpty();
        scheduleOne(message(ids.get(0), "wanted", now() - 1010));
        assertThat(index.moveDue(0, EPOCH, LIMIT, handover).taken()).isEmpty();
        assertThat(index.ready(0)).containsEntry("wanted", 4L);
    }

    @Test
    void aTopicThatIsFarBehindHoldsUpNoOther() {
        List<String> ids = idsIn(index, 0, 1003);
        index.schedule(ids.subList(0, 1000).stream()
                .map(id -> message(id, "loud", now() - 5000))
                .toList());
        index.schedule(ids.subList(1000, 1003).stream()
                .map(id -> message(id, "quiet", now() - 1010))
                .toList());
        assertThat(index.moveDue(0, EPOCH, 100, Handover.NONE).moved()).isEqualTo(100);
        assertThat(index.ready(0)).containsOnly(Map.entry("quiet", 3L), Map.entry("loud", 97L));
        assertThat(index.waiting(0)).isEqualTo(903);
    }

    @Test
    void respectsLimits() {
        List<String> ids = idsIn(index, 0, 25);
        index.schedule(ids.stream().map(id -> message(id, "t", now() - 1010)).toList());
        assertThat(index.moveDue(0, EPOCH, 10, Handover.NONE).moved()).isEqualTo(10);
        assertThat(index.ready(0)).containsExactly(Map.entry("t", 10L));
        assertThat(index.waiting(0)).isEqualTo(15);
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 4, LEASE)).hasSize(4);
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 100, LEASE)).hasSize(6);
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 100, LEASE)).isEmpty();
        assertThat(LeaderCalls.take(index, 0, "no such topic", EPOCH, 100, LEASE))
                .isEmpty();
        assertThat(index.ready(0)).isEmpty();
        assertThat(index.leased(0, Long.MAX_VALUE, 7))
                .hasEntrySatisfying("t", l -> assertThat(l).hasSize(7));
    }

    @Test
    void removesWhatWaits() {
        String id = idsIn(index, 3, 1).get(0);
        DelayMessage message = message(id, "t", now() + 200);
        scheduleOne(message);
        assertThat(index.remove(id)).isEqualTo(new Removal(Removal.Kind.REMOVED, message));
        assertThat(index.remove(id)).isEqualTo(Removal.UNKNOWN);
        assertThat(index.putBack(message)).isEqualTo(ScheduleOutcome.SCHEDULED);
        await().until(() -> index.moveDue(3, EPOCH, LIMIT, Handover.NONE).moved() == 1);
        assertThat(index.remove(id)).isEqualTo(Removal.TOO_LATE);
        assertThat(take(3, "t")).hasSize(1);
        assertThat(index.remove(id)).isEqualTo(Removal.TOO_LATE);
        index.settle(3, EPOCH, List.of(id));
        assertThat(index.remove(id)).isEqualTo(Removal.UNKNOWN);
    }

    @Test
    void vetoesEndAndLeaveNothingBehind() {
        List<String> ids = idsIn(index, 0, 3);
        String vetoes = view.key(0, "vetoes");
        long ended = now() - 1;
        view.run("ZADD", vetoes, Long.toString(ended), ids.get(0));
        scheduleOne(message(ids.get(1), "t", far()));
        index.remove(ids.get(1));
        assertThat(RedisView.texts(view.run("ZRANGE", vetoes, "0", "-1"))).containsExactly(ids.get(1));
        assertThat((Long) view.run("PTTL", vetoes)).isBetween(1L, 20_000L);
    }

    @Test
    void eitherRemovesOrMoves() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (int round = 0; round < 100; round++) {
                List<String> ids = idsIn(index, 0, 20);
                ids.forEach(id -> index.putBack(message(id, "t", now() - 1000)));
                CountDownLatch go = new CountDownLatch(1);
                Future<Integer> removed = threads.submit(() -> {
                    go.await();
                    List<String> backwards = new ArrayList<>(ids);
                    Collections.reverse(backwards);
                    return (int) backwards.stream()
                            .filter(id -> index.remove(id).kind() == Removal.Kind.REMOVED)
                            .count();
                });
                Future<Integer> moved = threads.submit(() -> {
                    go.await();
                    int sum = 0;
                    for (int i = 0; i < 20; i++) {
                        sum += index.moveDue(0, EPOCH, 1, Handover.NONE).moved();
                    }
                    return sum;
                });
                go.countDown();
                assertThat(removed.get() + moved.get()).isEqualTo(20);
                List<DelayMessage> taken = take(0, "t");
                assertThat(taken).hasSize(moved.get());
                index.settle(0, EPOCH, taken.stream().map(DelayMessage::id).toList());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void refusesALeaderThatHasBeenSucceeded() {
        String taken = oneTaken();
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.HELD);
        assertThat(index.highestEpoch()).isEqualTo(EPOCH + 1);
        Map<String, String> before = view.dump();
        LeaderCalls.all("t", taken).forEach((name, call) -> assertThatThrownBy(() -> call.make(index, 0, EPOCH))
                .as(name)
                .isInstanceOf(FencedException.class)
                .hasMessageContaining(Long.toString(EPOCH + 1)));
        assertThatThrownBy(() -> index.claim(0, EPOCH)).isInstanceOf(FencedException.class);
        assertThat(view.dump()).isEqualTo(before);
        LeaderCalls.all("t", taken).forEach((name, call) -> call.make(index, 0, EPOCH + 1));
    }

    /** Redis came back older, or a leader that was frozen claimed what was lost: the right one must claim it once more. */
    @Test
    void isLostToALeaderWithAHigherEpoch() {
        String taken = oneTaken();
        Map<String, String> before = view.dump();
        LeaderCalls.all("t", taken).forEach((name, call) -> assertThatThrownBy(() -> call.make(index, 0, EPOCH + 1))
                .as(name)
                .isInstanceOf(BucketLostException.class));
        assertThat(view.dump()).isEqualTo(before);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.HELD);
        LeaderCalls.all("t", taken).forEach((name, call) -> call.make(index, 0, EPOCH + 1));
        assertThatThrownBy(() -> index.moveDue(0, EPOCH, LIMIT, Handover.NONE)).isInstanceOf(FencedException.class);
    }

    /** It lay in a socket's buffer, say, while the leader gave it up and claimed the bucket again. */
    @Test
    void refusesWhatWasSentBeforeTheLastClaim() {
        String taken = oneTaken();
        try (BucketIndex late = settings.open()) {
            assertThat(late.claim(0, EPOCH)).isEqualTo(ClaimResult.HELD);
            assertThat(index.claim(0, EPOCH)).isEqualTo(ClaimResult.HELD);
            Map<String, String> before = view.dump();
            Map<String, LeaderCalls.LeaderCall> calls = LeaderCalls.all("t", taken);
            calls.keySet().removeAll(Set.of("markRestored", "markCompared", "nextDue", "unpark"));
            calls.forEach((name, call) -> assertThatThrownBy(() -> call.make(late, 0, EPOCH))
                    .as(name)
                    .isInstanceOf(IndexUnavailableException.class)
                    .hasMessageContaining("claimed again"));
            assertThat(view.dump()).isEqualTo(before);
            index.release(0, "t", EPOCH, List.of(taken));
            assertThat(take(0, "t")).hasSize(1);
        }
    }

    /** As a restart from a snapshot leaves it, or a replica that was promoted. */
    @Test
    void knowsThatAnotherServerWasClaimedBefore() {
        String claim = new String((byte[]) view.run("GET", view.key(0, "epoch")), StandardCharsets.US_ASCII);
        assertThat(claim).as("epoch, turn, run id").matches("\\d+ \\d+ [0-9a-f]{40}");
        view.run("SET", view.key(0, "epoch"), claim.substring(0, claim.length() - 1) + "x");
        assertThatThrownBy(() -> index.moveDue(0, EPOCH, LIMIT, Handover.NONE))
                .isInstanceOf(IndexUnavailableException.class);
        assertThat(index.claim(0, EPOCH)).isEqualTo(ClaimResult.OLDER);
        assertThat(index.claim(0, EPOCH + 1)).as("until it was compared").isEqualTo(ClaimResult.OLDER);
        index.markRestored(0, EPOCH + 1);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.OLDER);
        index.markCompared(0, EPOCH + 1);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.HELD);
        view.loseEverything();
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.LOST);
        index.markCompared(0, EPOCH + 1);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.LOST);
    }

    @Test
    void listsWhatWaits() {
        List<String> ids = idsIn(index, 0, 2500);
        index.schedule(IntStream.range(0, 2500)
                .mapToObj(i -> message(ids.get(i), i % 2 == 0 ? "even" : "odd", far() + i))
                .toList());
        Set<String> listed = new HashSet<>();
        index.forEachWaiting(0, page -> {
            assertThat(page).hasSizeLessThan(2000);
            listed.addAll(page);
        });
        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        index.forEachWaiting(
                1, page -> assertThat(page).as("of an empty bucket").isNull());
    }

    @Test
    void knowsThatItWasLost() {
        LeaderCalls.all("t", "m").forEach((name, call) -> {
            String taken = oneTaken();
            view.loseEverything();
            assertThatThrownBy(() -> call.make(index, 0, EPOCH)).as(name).isInstanceOf(BucketLostException.class);
            assertThat(view.keys()).as(name + " leaves nothing behind").isEmpty();
            assertThat(index.locate(List.of(taken))).isEmpty();
            assertThat(index.remove(taken)).isEqualTo(Removal.UNKNOWN);
            assertThat(index.purge(Refs.first(taken))).isEmpty();
            assertThat(scheduleOne(message(taken, "t", far()))).isEqualTo(ScheduleOutcome.SCHEDULED);
            assertThat(index.highestEpoch()).isZero();
            assertThat(index.claim(0, EPOCH)).isEqualTo(ClaimResult.LOST);
            assertThat(index.purge(Refs.first(taken))).isEmpty();
        });
    }

    @Test
    void staysLostUntilRestored() {
        view.loseEverything();
        assertThat(index.claim(0, EPOCH)).isEqualTo(ClaimResult.LOST);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.LOST);
        index.markRestored(0, EPOCH + 1);
        assertThat(index.claim(0, EPOCH + 1)).isEqualTo(ClaimResult.HELD);
        assertThat(index.claim(0, EPOCH + 2)).isEqualTo(ClaimResult.HELD);
    }

    @Test
    void listsLeasesThatEnded() {
        List<String> ids = idsIn(index, 0, 3);
        index.schedule(List.of(
                message(ids.get(0), "a", now() - 1030),
                message(ids.get(1), "b", now() - 1020),
                message(ids.get(2), "a", now() - 1010)));
        move(0);
        assertThat(LeaderCalls.take(index, 0, "b", EPOCH, 10, Duration.ofMillis(1)))
                .hasSize(1);
        assertThat(LeaderCalls.take(index, 0, "a", EPOCH, 10, LEASE)).hasSize(2);
        assertThat(index.leased(0, now() + 5_000, 10)).isEqualTo(Map.of("b", List.of(ids.get(1))));
        assertThat(index.leased(0, now() - 60_000, 10)).isEmpty();
        assertThat(index.leased(0, Long.MAX_VALUE, 10))
                .isEqualTo(Map.of("b", List.of(ids.get(1)), "a", List.of(ids.get(0), ids.get(2))));
        assertThat(index.leased(0, Long.MAX_VALUE, 1, 1)).isEqualTo(Map.of("a", List.of(ids.get(0))));
        assertThat(index.leased(0, Long.MAX_VALUE, 3, 10)).isEmpty();
    }

    @Test
    void givesBackInOrder() {
        List<String> ids = idsIn(index, 0, 5);
        long due = now() - 1100;
        for (int i = 0; i < 5; i++) {
            scheduleOne(message(ids.get(i), "t", due + i));
        }
        move(0);
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 3, LEASE)).hasSize(3);
        index.settle(0, EPOCH, List.of(ids.get(1)));
        index.release(0, "t", EPOCH, List.of(ids.get(0), ids.get(1), ids.get(2), ids.get(4), "unknown"));
        index.release(0, "t", EPOCH, List.of(ids.get(0)));
        assertThat(take(0, "t").stream().map(DelayMessage::id))
                .containsExactly(ids.get(0), ids.get(2), ids.get(3), ids.get(4));
    }

    @Test
    void postpones() {
        String id = oneTaken();
        long before = index.moveDue(0, EPOCH, LIMIT, Handover.NONE).nowMicros() / 1000;
        index.postpone(0, EPOCH, Map.of(id, Duration.ofMillis(250), "unknown", Duration.ZERO));
        index.postpone(0, EPOCH, Map.of(id, Duration.ZERO));
        assertThat(index.locate(List.of(id))).containsEntry(id, Location.WAITING);
        ScanResult scan = index.moveDue(0, EPOCH, LIMIT, Handover.NONE);
        assertThat(scan.nextDueMs()).isBetween(before + 250, scan.nowMicros() / 1000 + 250);
        await().until(() -> index.moveDue(0, EPOCH, LIMIT, Handover.NONE).moved() == 1);
        assertThat(take(0, "t").get(0).id()).isEqualTo(id);
    }

    @Test
    void postponedMessagesKeepTheirPriority() {
        List<String> ids = idsIn(index, 0, 2);
        scheduleOne(message(ids.get(0), "t", now() - 200, 1));
        scheduleOne(message(ids.get(1), "t", now() - 100, 8));
        move(0);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactlyElementsOf(ids);
        Map<String, Duration> delays = new LinkedHashMap<>();
        ids.forEach(id -> delays.put(id, Duration.ZERO));
        index.postpone(0, EPOCH, delays);
        await().until(() -> index.moveDue(0, EPOCH, LIMIT, Handover.NONE).moved() == 2);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(ids.get(1), ids.get(0));
    }

    /** They are stored in another form than those of producers. */
    @Test
    void knowsGeneratedIds() {
        MessageIds generated = new MessageIds(() -> Instant.ofEpochMilli(now()));
        List<String> ids = Stream.generate(generated::next)
                .filter(id -> index.bucketOf(id) == 0)
                .limit(4)
                .toList();
        long due = now() - 100;
        for (String id : ids) {
            assertThat(scheduleOne(message(id, "t", due))).isEqualTo(ScheduleOutcome.SCHEDULED);
            assertThat(scheduleOne(message(id, "t", due))).isEqualTo(ScheduleOutcome.KNOWN);
        }
        assertThat(index.remove(ids.get(3)).message().id()).isEqualTo(ids.get(3));
        assertThat(index.locate(ids)).containsOnlyKeys(ids.subList(0, 3)).containsEntry(ids.get(0), Location.WAITING);
        move(0);
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactlyElementsOf(ids.subList(0, 3));
        assertThat(index.leased(0, Long.MAX_VALUE, 10)).containsEntry("t", ids.subList(0, 3));
        assertThat(index.purge(Refs.first(ids))).containsExactlyInAnyOrderElementsOf(ids.subList(0, 3));
        index.settle(0, EPOCH, List.of(ids.get(0)));
        index.park(0, EPOCH, List.of(LeaderCalls.outcome(ids.get(1))));
        assertThat(index.parked(0, 10)).containsExactly(LeaderCalls.outcome(ids.get(1)));
        index.unpark(0, EPOCH, List.of(ids.get(1)));
        index.release(0, "t", EPOCH, List.of(ids.get(2)));
        assertThat(take(0, "t")).extracting(DelayMessage::id).containsExactly(ids.get(2));
        index.postpone(0, EPOCH, Map.of(ids.get(2), Duration.ofHours(1)));
        assertThat(index.locate(ids)).containsExactly(Map.entry(ids.get(2), Location.WAITING));
    }

    @Test
    void parksOutcomes() {
        String id = oneTaken();
        index.park(0, EPOCH, List.of(LeaderCalls.outcome(id)));
        assertThat(index.locate(List.of(id))).containsEntry(id, Location.PARKED);
        assertThat(index.parked(0, 10)).containsExactly(LeaderCalls.outcome(id));
        assertThat(index.remove(id)).isEqualTo(Removal.DELIVERED);
        assertThat(index.purge(Refs.first(id))).containsExactly(id);
        assertThat(index.leased(0, Long.MAX_VALUE, 10)).isEmpty();
        index.unpark(0, EPOCH, List.of(id));
        assertThat(index.parked(0, 10)).isEmpty();
        assertThat(index.locate(List.of(id))).isEmpty();
    }

    @Test
    void purgesWhereverTheyAre() {
        List<String> ids = idsIn(index, 0, 3);
        index.schedule(List.of(message(ids.get(0), "t", now() - 1002), message(ids.get(1), "t", now() - 1000)));
        move(0);
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 1, LEASE)).hasSize(1);
        scheduleOne(message(ids.get(2), "t", far()));
        assertThat(index.purge(Refs.first(ids))).containsExactly(ids.get(0));
        assertThat(index.locate(ids)).containsOnlyKeys(ids.get(0));
        assertThat(take(0, "t")).isEmpty();
        assertThat(index.ready(0)).isEmpty();
    }

    @Test
    void isNotEarlyAfterPurgeAndPushAgain() {
        List<String> ids = idsIn(index, 0, 2);
        index.schedule(ids.stream().map(id -> message(id, "t", now() - 1000)).toList());
        move(0);
        index.purge(Refs.first(ids));
        // The ready list of t still has both.
        scheduleOne(message(ids.get(0), "t", far()));
        DelayMessage other = message(ids.get(1), "other", now() - 1000);
        scheduleOne(other);
        move(0);
        assertThat(take(0, "t")).isEmpty();
        assertThat(index.locate(ids)).containsEntry(ids.get(0), Location.WAITING);
        assertThat(take(0, "other")).containsExactly(other);
    }

    @Test
    void isTakenOnceAfterPurgeAndPushAgain() {
        String id = idsIn(index, 0, 1).get(0);
        for (int i = 0; i < 3; i++) {
            index.purge(Refs.first(id));
            scheduleOne(message(id, "t", now() - 1000));
            move(0);
        }
        assertThat(LeaderCalls.take(index, 0, "t", EPOCH, 1, LEASE)).hasSize(1);
        assertThat(take(0, "t")).isEmpty();
        index.settle(0, EPOCH, List.of(id));
        assertThat(index.locate(List.of(id))).isEmpty();
    }

    @Test
    void getsOnWithThousandsOfTopics() {
        List<String> ids = idsIn(index, 0, 3000);
        index.schedule(IntStream.range(0, 3000)
                .mapToObj(i -> message(ids.get(i), "topic-" + i, now() - 1000))
                .toList());
        int moved = 0;
        for (int calls = 0; moved < 3000; calls++) {
            ScanResult scan = index.moveDue(0, EPOCH, LIMIT, Handover.NONE);
            assertThat(scan.moved()).as("each scan gets on").isPositive();
            assertThat(calls).isLessThan(40);
            moved += scan.moved();
        }
        assertThat(index.ready(0)).hasSize(3000).containsEntry("topic-2999", 1L);
        assertThat(take(0, "topic-1234").get(0).id()).isEqualTo(ids.get(1234));
    }

    @Test
    void dropsAnIdWhoseMessageIsGone() {
        List<String> ids = idsIn(index, 0, 3);
        index.schedule(ids.stream().map(id -> message(id, "t", now() - 1000)).toList());
        view.run("HDEL", view.key(0, "pool"), ids.get(0));
        assertThat(index.moveDue(0, EPOCH, LIMIT, Handover.NONE)).satisfies(scan -> {
            assertThat(scan.moved()).isEqualTo(3);
            assertThat(scan.nextDueMs()).isEqualTo(-1);
        });
        view.run("HDEL", view.key(0, "pool"), ids.get(1));
        assertThat(take(0, "t")).hasSize(1);
        view.run("HDEL", view.key(0, "pool"), ids.get(2));
        assertThat(index.leased(0, Long.MAX_VALUE, 10)).isEmpty();
        assertThat(index.locate(ids)).isEmpty();
    }

    @Test
    void tellsListenersHereAndOnOtherNodes() {
        Set<Integer> here = ConcurrentHashMap.newKeySet();
        Set<Integer> there = ConcurrentHashMap.newKeySet();
        index.onEarlier(here::add);
        try (BucketIndex other = settings.open()) {
            other.onEarlier(there::add);
            String first = idsIn(index, 3, 1).get(0);
            // Its subscription may still be on its way: the first that arrives shows that it stands.
            await().until(() -> {
                index.purge(Refs.first(first));
                scheduleOne(message(first, "t", far()));
                return there.contains(3);
            });
            assertThat(here).contains(3);
            await().pollDelay(Duration.ofMillis(300)).until(() -> true);
            here.clear();
            there.clear();
            scheduleOne(message(idsIn(index, 3, 2).get(1), "t", far() + 1000));
            scheduleOne(message(idsIn(index, 2, 1).get(0), "t", far()));
            await().until(() -> there.contains(2));
            assertThat(here).containsExactly(2);
            assertThat(there).as("a later one wakes nobody").containsExactly(2);
            String taken = oneTaken();
            there.clear();
            index.postpone(0, EPOCH, Map.of(taken, Duration.ofMinutes(1)));
            await().until(() -> there.contains(0));
        }
    }

    @Test
    void goesOnWhenTheServersForgetTheScripts() {
        List<String> ids = idsIn(index, 0, 4);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index.schedule(IntStream.range(0, 100)
                        .mapToObj(i -> message("id" + i, "t", now() - 1000))
                        .toList()))
                .containsOnly(ScheduleOutcome.SCHEDULED);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index.locate(List.of("id1", "id2", "id3", "id4", "id5"))).hasSize(5);
        String taken = oneTaken();
        LeaderCalls.all("t", taken).forEach((name, call) -> {
            view.onAll("SCRIPT", "FLUSH");
            call.make(index, 0, EPOCH);
        });
        view.onAll("SCRIPT", "FLUSH");
        index.leased(0, Long.MAX_VALUE, 10);
        view.onAll("SCRIPT", "FLUSH");
        assertThat(index.remove(ids.get(3))).isNotNull();
    }

    @Test
    void takesAnyText() {
        List<String> texts = List.of(
                "\uD83D\uDE00 emoji",
                "nul\0nul",
                "{braces}",
                "}{",
                "with space",
                "a:b",
                "\u4E2D\u6587",
                "x".repeat(128));
        List<DelayMessage> messages = new ArrayList<>();
        for (String text : texts) {
            messages.add(new DelayMessage(text, text, text, text, text, 0, now() - 1005, now() - 1005, 0, 0));
        }
        messages.add(new DelayMessage("plain", "t", "", "", "", 0, now() - 1005, now() - 1005, 9, Integer.MAX_VALUE));
        assertThat(index.schedule(messages)).containsOnly(ScheduleOutcome.SCHEDULED);
        Set<DelayMessage> taken = new HashSet<>();
        for (int b = 0; b < index.buckets(); b++) {
            index.moveDue(b, EPOCH, LIMIT, Handover.NONE);
            for (String topic : index.ready(b).keySet()) {
                taken.addAll(take(b, topic));
            }
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(messages);
    }

    @Test
    void carriesLargeBodies() {
        List<String> ids = idsIn(index, 0, 12);
        String body = "b".repeat(1 << 20);
        index.schedule(ids.stream()
                .map(id -> new DelayMessage(id, "t", "", "", body, 0, now() - 1001, now() - 1001, 5, 0))
                .toList());
        int moved = 0;
        for (int calls = 0; moved < 12 && calls < 12; calls++) {
            moved += index.moveDue(0, EPOCH, LIMIT, Handover.NONE).moved();
        }
        assertThat(moved).isEqualTo(12);
        Set<String> taken = new HashSet<>();
        for (List<DelayMessage> some = take(0, "t"); !some.isEmpty(); some = take(0, "t")) {
            assertThat(some).hasSizeLessThan(6).allMatch(m -> m.body().equals(body));
            some.forEach(m -> taken.add(m.id()));
        }
        assertThat(taken).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void isUpAndTellsTheServersTime() {
        assertThat(index.check().up()).isTrue();
        assertThat(index.check().details().toString()).doesNotContain("p@ss", "p%40ss", "sent1nel", "clu5ter");
        ScanResult scan = index.moveDue(0, EPOCH, LIMIT, Handover.NONE);
        assertThat(index.timeMs()).isBetween(scan.nowMicros() / 1000 - 200, scan.nowMicros() / 1000 + 2000);
    }

    private String oneTaken() {
        String id = idsIn(index, 0, 50).get(49);
        if (view.keys().isEmpty()) {
            index.claim(0, EPOCH);
        }
        scheduleOne(message(id, "t", now() - 1000));
        move(0);
        assertThat(take(0, "t").stream().map(DelayMessage::id)).contains(id);
        return id;
    }

    private void move(int bucket) {
        // What is due by our sample of the clock may be so a little later by Redis' own.
        await().until(() -> index.moveDue(bucket, EPOCH, LIMIT, Handover.NONE).moved() > 0);
    }

    private List<DelayMessage> take(int bucket, String topic) {
        return LeaderCalls.take(index, bucket, topic, EPOCH, LIMIT, LEASE);
    }

    private ScheduleOutcome scheduleOne(DelayMessage message) {
        return index.schedule(List.of(message)).get(0);
    }

    private long now() {
        return index.timeMs();
    }

    private long far() {
        return now() + 3_600_000;
    }
}
