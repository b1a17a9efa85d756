package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The index as the dispatcher of one term uses it: {@link OwnedBuckets} with {@link Leased} messages. Thread-safe. */
final class TermIndex {
    private final MessageIndex index;
    private final OwnedBuckets buckets;

    TermIndex(MessageIndex index, OwnedBuckets buckets) {
        this.index = index;
        this.buckets = buckets;
    }

    /** As {@link OwnedBuckets#take}. */
    List<Take> take(List<Integer> from, String topic, int limit, Duration lease) {
        return buckets.take(from, topic, limit, lease);
    }

    void settle(List<Leased> messages) {
        buckets.settle(Leased.idsByBucket(messages));
    }

    void settle(Map<Integer, List<String>> ids) {
        buckets.settle(ids);
    }

    void extend(List<Leased> messages, Duration lease) {
        buckets.extend(Leased.idsByBucket(messages), lease);
    }

    void park(Map<Integer, List<ParkedOutcome>> outcomes) {
        buckets.park(outcomes);
    }

    void postpone(Map<Integer, Map<String, Duration>> delays) {
        buckets.postpone(delays);
    }

    void release(String topic, Map<Integer, List<String>> ids) {
        buckets.release(topic, ids);
    }

    /**
     * Forgets these messages without a call to the index. Their buckets are claimed again, which gives the messages back.
     */
    void abandon(List<Leased> messages) {
        buckets.abandon(Leased.idsByBucket(messages));
    }

    /** Whether this bucket came back older. Then the index alone must not decide about a delivery. */
    boolean isOlder(int bucket) {
        return buckets.isOlder(bucket);
    }

    void schedule(List<DelayMessage> messages) {
        index.schedule(messages);
    }
}
