package io.mykit.delay.queue.dispatch;

import java.time.Duration;

/**
 * How batches are cut.
 *
 * @param batchSize messages handed to a channel at once
 * @param lease how long a batch belongs to the leader that took it
 * @param threadsPerChannel batches under way to one kind of broker
 */
record DispatchSettings(int batchSize, Duration lease, int threadsPerChannel) {
    /** A topic may not use up all threads of its channel. */
    int batchesPerTopic() {
        return Math.max(1, threadsPerChannel / 4);
    }
}
