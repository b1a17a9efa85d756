package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies of the outcomes of a bucket that are parked in the index until the store is back. An index that loses its data forgets them, while
 * their rows still say that the messages wait. The claim of such a bucket parks them again, so a message that was delivered is not
 * delivered again, and a cancel of it is not answered as if it waited. Thread-safe.
 *
 * <p>Beyond its limit in bytes it drops the oldest copies: of these the index has the only ones.
 */
final class KeptOutcomes {
    private static final int PAGE = 500;
    private static final int LEAST = 500;
    /** The share of the heap for the copies of all buckets. */
    private static final int SHARE = 64;
    /** The heap that an outcome takes, with its id and a short detail. */
    private static final int USUAL_BYTES = 256;
    /** The heap that an outcome takes without the characters of its texts. */
    private static final int LEAST_BYTES = 160;

    private final long limit;
    /** By id, the oldest first. */
    private final Map<String, ParkedOutcome> outcomes = new LinkedHashMap<>();

    private long bytes;

    /** @param limit in bytes */
    KeptOutcomes(long limit) {
        this.limit = limit;
    }

    /** The limit for each of so many buckets, in bytes. */
    static long limit(int buckets) {
        return Math.max(LEAST * USUAL_BYTES, Runtime.getRuntime().maxMemory() / SHARE / buckets);
    }

    /** The heap that an outcome takes. A character takes two bytes, unless all are Latin ones. */
    static long bytes(ParkedOutcome outcome) {
        return LEAST_BYTES + 2L * (outcome.id().length() + outcome.detail().length());
    }

    /** Call it before the outcomes are parked: the answer may be lost together with the data. */
    synchronized void add(Collection<ParkedOutcome> parked) {
        for (ParkedOutcome outcome : parked) {
            forget(outcome.id());
            outcomes.put(outcome.id(), outcome);
            bytes += bytes(outcome);
        }
        Iterator<ParkedOutcome> oldest = outcomes.values().iterator();
        while (bytes > limit) {
            bytes -= bytes(oldest.next());
            oldest.remove();
        }
    }

    /** The store has the outcomes of these messages now. */
    synchronized void recorded(Collection<String> ids) {
        ids.forEach(this::forget);
    }

    private void forget(String id) {
        ParkedOutcome earlier = outcomes.remove(id);
        bytes -= earlier == null ? 0 : bytes(earlier);
    }

    private synchronized List<ParkedOutcome> all() {
        return List.copyOf(outcomes.values());
    }

    /**
     * Parks all outcomes again. Another thread may have scheduled their messages since the loss, and may do so now: the call that parks an
     * outcome takes its message out.
     *
     * @return the number of outcomes
     */
    int parkAgain(OwnedBucket bucket) {
        List<ParkedOutcome> all = all();
        for (int from = 0; from < all.size(); from += PAGE) {
            bucket.park(all.subList(from, Math.min(all.size(), from + PAGE)));
        }
        return all.size();
    }
}
