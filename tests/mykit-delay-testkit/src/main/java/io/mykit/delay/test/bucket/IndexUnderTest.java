package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.time.Duration;
import java.util.List;

/** An empty index of four buckets, each claimed with {@link #EPOCH} and whole, and the faults that a test can cause in it. */
public interface IndexUnderTest {
    int BUCKETS = 4;
    long EPOCH = 9_007_199_254_740_000L;
    Duration LEASE = Duration.ofSeconds(30);
    int LIMIT = 500;

    MessageIndex index();

    /** Another index on the same data; the test closes it. */
    MessageIndex otherNode();

    /** As it was claimed at the beginning. */
    OwnedBucket bucket(int bucket);

    /** The data are gone, claims as well. */
    void loseEverything();

    /** A value that is the same as long as no data changes. */
    Object everything();

    /** Remembers the bucket's epoch; the result sets it back to that. */
    Runnable rememberEpoch(int bucket);

    /** The last claim of the bucket was made on another server. */
    void claimedElsewhere(int bucket);

    /** A message of topic t in bucket 0 that the owner has taken. */
    default String oneTaken() {
        String id = idsIn(index(), 0, 50).get(49);
        scheduleOne(message(id, "t", now() - 1000));
        move(0);
        assertThat(take(0, "t").stream().map(DelayMessage::id)).contains(id);
        return id;
    }

    default void move(int bucket) {
        // A message that is due by the node's sample of the clock may be due a little later by Redis' own clock.
        await().until(() -> bucket(bucket).moveDue(LIMIT, Handover.NONE).moved() > 0);
    }

    default List<DelayMessage> take(int bucket, String topic) {
        return OwnerCalls.take(index(), bucket(bucket), topic, LIMIT, LEASE);
    }

    default ScheduleOutcome scheduleOne(DelayMessage message) {
        return index().schedule(List.of(message)).get(0);
    }

    default long now() {
        return index().timeMs();
    }

    default long far() {
        return now() + 3_600_000;
    }
}
