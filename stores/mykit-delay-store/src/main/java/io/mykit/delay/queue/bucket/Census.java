package io.mykit.delay.queue.bucket;

import java.util.Map;

/**
 * The number of messages in each place of a bucket. The numbers are read one after the other. So they may disagree while
 * messages move.
 *
 * @param waiting messages that wait for their due time
 * @param ready due messages by topic; topics without any are missing
 * @param leased messages that a leader has taken
 * @param parked delivered messages whose outcome is not in the store yet
 * @param strays orphaned messages: in the pool, but in no waiting set, no ready list and under no lease
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
