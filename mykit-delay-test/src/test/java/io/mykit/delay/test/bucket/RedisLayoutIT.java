package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.ClaimResult;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldState;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.test.server.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that are configured with different numbers of buckets. */
class RedisLayoutIT {
    private static final long EPOCH = 7;
    private static final String LAYOUT = "test.delay:{layout}:layout";
    private static final Duration LEASE = Duration.ofMinutes(1);

    @TempDir
    private Path dir;

    private RedisServer server;
    private MessageIndex four;
    private MessageIndex six;
    /** The keys of the index with four buckets. */
    private OwnedBucket[] owned;

    @BeforeEach
    void start() {
        server = RedisServer.start(dir, "");
        four = open(4);
        six = open(6);
    }

    @AfterEach
    void close() {
        six.close();
        four.close();
        server.close();
    }

    @Test
    void allScheduleWhereTheLeaderLooks() {
        owned = claimAll(four, EPOCH);
        schedule(six, "six", 100);
        schedule(four, "four", 100);
        assertThat(waiting(four)).isEqualTo(200);
        assertThat(waiting(six)).isZero();
        assertThat(six.locate(ids("four", 100))).hasSize(100).containsValue(Location.WAITING);
        assertThat(six.highestEpoch()).isEqualTo(EPOCH);
        view(4).assertNoOrphans();
    }

    @Test
    void aLeaderWithAnotherNumberEmptiesTheOldBuckets() {
        owned = claimAll(four, EPOCH);
        schedule(four, "m", 200);
        // One is delivered, and the store has yet to learn it; one is under a lease.
        List<String> due = List.of("delivered", "taken");
        for (String id : due) {
            four.schedule(List.of(message(id, "t", four.timeMs() - 2000)));
            OwnedBucket owner = owned[four.bucketOf(id)];
            await().until(() -> owner.moveDue(10, Handover.NONE).moved() == 1);
            assertThat(OwnerCalls.take(four, owner, "t", 10, LEASE)).hasSize(1);
        }
        owned[four.bucketOf("delivered")].park(List.of(OwnerCalls.outcome("delivered")));

        OwnedBucket[] sixth = new OwnedBucket[6];
        for (int bucket = 0; bucket < 6; bucket++) {
            sixth[bucket] = six.claim(bucket, EPOCH + 1);
            assertThat(sixth[bucket].found()).as("to be restored").isEqualTo(ClaimResult.LOST);
        }

        assertThat(six.locate(ids("m", 200))).isEmpty();
        assertThat(sixth[six.bucketOf("delivered")].parked(10)).containsExactly(OwnerCalls.outcome("delivered"));
        assertThat(six.schedule(List.of(message("delivered", "t", far(six)))))
                .containsExactly(ScheduleOutcome.DELIVERED);
        assertThatThrownBy(() -> owned[four.bucketOf("taken")].settle(List.of("taken")))
                .isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> four.claim(0, EPOCH)).isInstanceOf(FencedException.class);
        assertThat(view(4).keys())
                .as("what is left of the old buckets")
                .filteredOn(key -> key.contains("/4}"))
                .hasSize(12)
                .allMatch(key -> key.endsWith(":epoch") || key.endsWith(":closed") || key.endsWith(":restoring"))
                .allMatch(key -> (Long) server.command("TTL", key) > 0);

        // A node that does not know of the change yet meets a closed bucket, and asks.
        schedule(four, "m", 200);
        assertThat(waiting(six)).isEqualTo(200);
        assertThat(four.locate(ids("m", 200))).hasSize(200);
        view(6).assertNoOrphans();
    }

    @Test
    void holdsEndWithTheOldBuckets() {
        owned = claimAll(four, EPOCH);
        four.schedule(List.of(message("held", "p", four.timeMs() - 2000)));
        int bucket = four.bucketOf("held");
        Handover handover = new Handover(List.of(), 10, LEASE, PulledTopics.of(Map.of("p", true), false));
        await().until(() -> owned[bucket].moveDue(10, handover).moved() == 1);
        assertThat(four.holds().handOut(List.of(0, 1, 2, 3), "p", new Portion(1, 1000, true), LEASE, "r1"))
                .flatExtracting(handout -> handout.messages())
                .hasSize(1);
        assertThat(six.holds().holds(List.of(new Held("held", "r1")))).containsValue(HoldState.HELD);

        OwnedBucket[] sixth = claimAll(six, EPOCH + 1);

        await().until(() -> four.holds().buckets() == 6);
        assertThat(four.sharedBucketOf("held")).isEqualTo(six.bucketOf("held"));
        assertThat(four.bucketOf("held")).isEqualTo(bucket);
        assertThat(four.holds().holds(List.of(new Held("held", "r1")))).containsValue(HoldState.FREE);
        assertThat(view(4).keys()).as("of the old bucket").noneMatch(key -> key.contains("/4}:held"));
        six.schedule(List.of(message("held", "p", six.timeMs() - 2000)));
        await().until(() -> sixth[six.bucketOf("held")].moveDue(10, handover).moved() == 1);
        assertThat(four.holds().handOut(List.of(0, 1, 2, 3, 4, 5, 6), "p", new Portion(1, 1000, true), LEASE, "r2"))
                .hasSize(6)
                .flatExtracting(handout -> handout.messages())
                .hasSize(1);
        view(6).assertNoOrphans();
    }

    @Test
    void andBackAgain() {
        owned = claimAll(four, EPOCH);
        claimAll(six, EPOCH + 1);
        schedule(six, "m", 100);
        for (int bucket = 0; bucket < 4; bucket++) {
            OwnedBucket owner = four.claim(bucket, EPOCH + 2);
            assertThat(owner.found()).isEqualTo(ClaimResult.LOST);
            owner.markRestored();
        }
        schedule(six, "m", 100);
        assertThat(waiting(four)).isEqualTo(100);
        assertThat((Long) server.command("TTL", view(4).key(0, "epoch")))
                .as("no end")
                .isEqualTo(-1);
        view(4).assertNoOrphans();
    }

    /** The leader died in the middle, and the next one is content with the old number. */
    @Test
    void whatWasEmptiedIsRestored() {
        owned = claimAll(four, EPOCH);
        claimAll(six, EPOCH + 1);
        server.command("SET", LAYOUT, "4");
        for (int bucket = 0; bucket < 4; bucket++) {
            assertThat(four.claim(bucket, EPOCH + 2).found()).isEqualTo(ClaimResult.LOST);
        }
    }

    /** Its key was lost, and a node that is configured otherwise was the first to write it. */
    @Test
    void aLeaderWhoseNumberWasReplacedClaimsItsBucketsAgain() {
        owned = claimAll(four, EPOCH);
        server.command("SET", LAYOUT, "6");
        server.command("PUBLISH", "test.delay:{layout}:wake", "layout somebody");
        await().untilAsserted(
                        () -> assertThatThrownBy(() -> owned[0].nextDue()).isInstanceOf(BucketLostException.class));
        owned = claimAll(four, EPOCH);
        assertThat(owned[0].nextDue()).isEqualTo(-1);
        schedule(six, "m", 10);
        assertThat(waiting(four)).isEqualTo(10);
    }

    /** The leader died in the middle: the old buckets are closed, and the number stands. */
    @Test
    void takesNothingUntilTheChangeIsComplete() {
        owned = claimAll(four, EPOCH);
        for (int bucket = 0; bucket < 4; bucket++) {
            server.command("SET", view(4).key(bucket, "closed"), "1");
        }
        assertThat(four.schedule(List.of(message("m", "t", far(four)))))
                .as("it waits in the store")
                .containsExactly(ScheduleOutcome.UNAVAILABLE);
        claimAll(six, EPOCH + 1);
        schedule(four, "m", 1);
        assertThat(waiting(six)).isEqualTo(1);
    }

    private MessageIndex open(int buckets) {
        IndexSettings settings = new IndexSettings(server.uri(), "layout");
        return new IndexSettings(
                        settings.uri(), settings.timeout(), settings.maxConnections(), settings.name(), buckets)
                .open();
    }

    private RedisView view(int buckets) {
        return new RedisView(List.of(server), "test.delay", "layout", buckets);
    }

    private static OwnedBucket[] claimAll(MessageIndex index, long epoch) {
        OwnedBucket[] claimed = new OwnedBucket[index.buckets()];
        for (int bucket = 0; bucket < index.buckets(); bucket++) {
            claimed[bucket] = index.claim(bucket, epoch);
            assertThat(claimed[bucket].found()).isEqualTo(ClaimResult.LOST);
            claimed[bucket].markRestored();
        }
        return claimed;
    }

    private static void schedule(MessageIndex index, String prefix, int count) {
        List<DelayMessage> messages = ids(prefix, count).stream()
                .map(id -> message(id, "t", far(index)))
                .toList();
        assertThat(index.schedule(messages)).containsOnly(ScheduleOutcome.SCHEDULED);
    }

    private static List<String> ids(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(i -> prefix + i).toList();
    }

    private static long waiting(MessageIndex index) {
        return IntStream.range(0, index.buckets())
                .mapToLong(bucket -> index.census(bucket).waiting())
                .sum();
    }

    private static long far(MessageIndex index) {
        return index.timeMs() + 3_600_000;
    }
}
