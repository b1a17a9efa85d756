package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.OwnedBucket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of a bucket that are in a batch of this leader: under a lease, in delivery, or with an outcome that is not recorded
 * yet. It keeps ids and versions, and no content. Thread-safe.
 *
 * <p>A Redis that lost its data forgets leases. A restore then schedules such a message again, and the same leader takes it again
 * while its first batch still has it. The second take is left under its lease: the outcome of the first batch ends both. The
 * claim of such a bucket registers the leases again, so that all nodes know what is in delivery.
 */
final class KnownLeases {
    private static final Logger LOG = LoggerFactory.getLogger(KnownLeases.class);
    private static final int PAGE = 1000;

    private final Map<String, Integer> versions = new ConcurrentHashMap<>();
    /** The length of the leases that were taken last. */
    private volatile Duration lease = Duration.ZERO;

    private volatile LeftMessages left;

    /**
     * Notes taken messages.
     *
     * @param length of their leases
     * @return the messages that no batch has in this version or a later one
     */
    List<DelayMessage> note(List<DelayMessage> taken, Duration length) {
        if (!taken.isEmpty()) {
            lease = length;
        }
        List<DelayMessage> fresh = null;
        for (int i = 0; i < taken.size(); i++) {
            DelayMessage message = taken.get(i);
            boolean isNew = isNew(message.id(), message.version());
            if (!isNew && fresh == null) {
                fresh = new ArrayList<>(taken.subList(0, i));
            } else if (isNew && fresh != null) {
                fresh.add(message);
            }
        }
        return fresh == null ? taken : fresh;
    }

    private boolean isNew(String id, int version) {
        Integer known = versions.putIfAbsent(id, version);
        if (known == null) {
            return true;
        }
        if (known >= version) {
            return false;
        }
        versions.put(id, version);
        return true;
    }

    /** No batch of this leader has these messages any more. */
    void forget(Collection<String> ids) {
        ids.forEach(versions::remove);
    }

    /**
     * Gives back the leases of the bucket that this leader does not know.
     *
     * @param giving is told of their messages before they are given back
     * @return the number of messages that were given back
     */
    int releaseOthers(OwnedBucket bucket, Consumer<List<String>> giving) {
        int skip = 0;
        int released = 0;
        Map<String, List<String>> leased = bucket.leased(Long.MAX_VALUE, skip, PAGE);
        while (!leased.isEmpty()) {
            for (Map.Entry<String, List<String>> topic : leased.entrySet()) {
                List<String> unknown = new ArrayList<>(topic.getValue());
                unknown.removeIf(versions::containsKey);
                if (!unknown.isEmpty()) {
                    giving.accept(unknown);
                    // The leader that took them may have sent them.
                    bucket.release(topic.getKey(), unknown, true);
                }
                released += unknown.size();
                skip += topic.getValue().size() - unknown.size();
            }
            leased = bucket.leased(Long.MAX_VALUE, skip, PAGE);
        }
        if (released > 0) {
            LOG.info(
                    "Bucket {}: put {} messages back into their ready lists, as this leader did not know their leases",
                    bucket.bucket(),
                    released);
        }
        return released;
    }

    /** See {@link Leaving#leave}. No other call on these leases may be under way. */
    void leave(OwnedBucket bucket, LeftMessages leaving, Duration hold) {
        List<String> all = List.copyOf(versions.keySet());
        if (all.isEmpty() || left != null) {
            return;
        }
        // Before the calls: without an answer the messages may be under these holds.
        left = leaving;
        for (int from = 0; from < all.size(); from += PAGE) {
            bucket.leave(all.subList(from, Math.min(all.size(), from + PAGE)), hold, leaving.receipt());
        }
    }

    /** Ends messages that the term has left. Returns false if it has not left the bucket. */
    boolean endLeft(Collection<String> ids, Consumer<LeftMessages> call) {
        LeftMessages mine = left;
        if (mine == null) {
            return false;
        }
        forget(ids);
        call.accept(mine);
        return true;
    }

    /** Null = the term has not left the bucket. */
    LeftMessages left() {
        return left;
    }

    void renew(Duration hold) {
        if (left != null && !versions.isEmpty()) {
            left.extend(versions.keySet(), hold);
        }
    }

    /**
     * Registers the leases, because the bucket may have lost them, each for its full length from now. The last call has no lease: it
     * tells the bucket that it knows all of them.
     *
     * @return the number of leases
     */
    int retake(OwnedBucket bucket) {
        List<MessageRef> page = new ArrayList<>();
        int leases = 0;
        for (Map.Entry<String, Integer> known : versions.entrySet()) {
            page.add(new MessageRef(known.getKey(), known.getValue()));
            leases++;
            if (page.size() == PAGE) {
                bucket.retake(page, lease);
                page.clear();
            }
        }
        if (!page.isEmpty()) {
            bucket.retake(page, lease);
        }
        bucket.retake(List.of(), lease);
        return leases;
    }

    Collection<String> ids() {
        return versions.keySet();
    }

    int count() {
        return versions.size();
    }
}
