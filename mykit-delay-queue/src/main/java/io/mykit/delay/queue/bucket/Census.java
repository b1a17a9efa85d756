package io.mykit.delay.queue.bucket;

import java.util.Map;

/**
 * How many messages are where in a bucket. The numbers are read one after the other: while messages move they may disagree.
 *
 * @param waiting for their due time
 * @param ready due, by topic; topics without any are missing
 * @param leased taken by a leader
 * @param parked delivered, and the store has yet to learn it
 * @param strays known to the bucket and in no place
 */
public record Census(long waiting, Map<String, Long> ready, long leased, long parked, long strays) {
    public Census {
        ready = Map.copyOf(ready);
    }

    /** Whether the bucket has no message. */
    public boolean isEmpty() {
        return waiting == 0 && ready.isEmpty() && leased == 0 && parked == 0 && strays == 0;
    }
}
