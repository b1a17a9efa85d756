package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.bucket.Pulled;
import java.time.Duration;

/**
 * The sizes of batches.
 *
 * @param batchSize how many messages a channel gets in one call
 * @param lease how long a batch belongs to the leader that took it
 * @param threadsPerChannel how many batches are under way to one channel
 * @param pulled topics whose ready lists are for their consumers
 */
record DispatchSettings(int batchSize, Duration lease, int threadsPerChannel, Pulled pulled) {
    /** How many batches of one topic are under way. One topic must not use up all threads of its channel. */
    int batchesPerTopic() {
        return Math.max(1, threadsPerChannel / 4);
    }
}
