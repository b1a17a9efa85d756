package io.mykit.delay.queue.lease;

import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Copies of the outcomes of a bucket that are parked in the index until the store is back. An index that loses its data forgets them, while
 * their rows still say that the messages wait. The claim of such a bucket parks them again, so a message that was delivered is not
 * delivered again, and a cancel of it is not answered as if it waited. Thread-safe.
 *
 * <p>Beyond its limit it drops the oldest copies: of these the index has the only ones.
 */
final class KeptOutcomes {
    private static final int PAGE = 500;
    private static final int LEAST = 500;
    /** The share of the heap for the copies of all buckets. */
    private static final int SHARE = 64;
    /** The heap that an outcome takes, with its id. */
    private static final int BYTES = 256;

    /** By id, the oldest first. */
    private final Map<String, ParkedOutcome> outcomes;

    KeptOutcomes(int limit) {
        this.outcomes = new LinkedHashMap<>() {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, ParkedOutcome> eldest) {
                return size() > limit;
            }
        };
    }

    /** The limit for each of so many buckets. */
    static int limit(int buckets) {
        long all = Runtime.getRuntime().maxMemory() / SHARE / BYTES;
        return (int) Math.max(LEAST, Math.min(Integer.MAX_VALUE, all / buckets));
    }

    /** Call it before the outcomes are parked: the answer may be lost together with the data. */
    synchronized void add(Collection<ParkedOutcome> parked) {
        for (ParkedOutcome outcome : parked) {
            outcomes.remove(outcome.id());
            outcomes.put(outcome.id(), outcome);
        }
    }

    /** The store has the outcomes of these messages now. */
    synchronized void recorded(Collection<String> ids) {
        ids.forEach(outcomes::remove);
    }

    private synchronized List<ParkedOutcome> all() {
        return List.copyOf(outcomes.values());
    }

    /**
     * Parks all outcomes again. Another thread may have scheduled their messages since the loss, so it takes these out first.
     *
     * @return the number of outcomes
     */
    int parkAgain(MessageIndex index, OwnedBucket bucket) {
        List<ParkedOutcome> all = all();
        for (int from = 0; from < all.size(); from += PAGE) {
            List<ParkedOutcome> page = all.subList(from, Math.min(all.size(), from + PAGE));
            List<MessageRef> messages = new ArrayList<>(page.size());
            page.forEach(outcome -> messages.add(new MessageRef(outcome.id(), outcome.version())));
            index.purge(messages);
            bucket.park(page);
        }
        return all.size();
    }
}
