package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives back messages whose lease has ended, and offers every ready list that is not empty once more. One thread.
 *
 * <p>A message in flight is not given back, however long its lease has ended: the channel may send it at any moment. Its fate gives
 * it back.
 */
final class LeaseReaper implements Loop {
    private static final int PAGE = 1000;

    private final MessageIndex index;
    private final OwnedBuckets owned;
    private final Dispatcher dispatcher;
    private final Flights flights;
    private final Duration interval;
    private final BucketBackoff buckets;
    private boolean begun;

    LeaseReaper(MessageIndex index, OwnedBuckets owned, Dispatcher dispatcher, Flights flights, Duration lease) {
        this.index = index;
        this.owned = owned;
        this.dispatcher = dispatcher;
        this.flights = flights;
        this.interval = lease.dividedBy(4);
        this.buckets = new BucketBackoff("Leases", index);
    }

    @Override
    public Duration runOnce() {
        if (!begun) {
            // At the beginning of a term, the scanners give back the messages that an earlier leader had taken. A
            // message that is taken again before its scanner has finished the bucket would be given back once more,
            // and delivered twice.
            begun = true;
            return interval;
        }
        buckets.each(owned, this::reap);
        return buckets.pause(interval);
    }

    private void reap(OwnedBucket bucket) {
        if (!ended(bucket).isEmpty()) {
            // No message is taken meanwhile: one that was given back and taken again must not lose its new lease.
            owned.alone(bucket.bucket(), () -> ended(bucket).forEach((topic, ids) -> bucket.release(topic, ids, true)));
        }
        bucket.readyTopics().forEach(topic -> dispatcher.offer(bucket.bucket(), topic));
    }

    /** The messages whose lease has ended, by topic, save those in flight. */
    private Map<String, List<String>> ended(OwnedBucket bucket) {
        Set<String> inFlight = flights.ids();
        Map<String, List<String>> ended = new HashMap<>();
        bucket.leased(index.timeMs(), PAGE).forEach((topic, ids) -> {
            List<String> landed =
                    ids.stream().filter(id -> !inFlight.contains(id)).toList();
            if (!landed.isEmpty()) {
                ended.put(topic, landed);
            }
        });
        return ended;
    }
}
