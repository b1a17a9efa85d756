package io.mykit.delay.queue.commit;

import java.time.Duration;

/**
 * The limits of a {@link GroupCommit}.
 *
 * @param queue the maximum of items that wait
 * @param batch the maximum of items in one batch
 * @param lanes the maximum of batches that are written at the same time
 * @param linger the longest wait of a batch for items at ordinary rates; zero = none
 */
public record GroupLimits(int queue, int batch, int lanes, Duration linger) {
    /** One batch at a time, and no wait at ordinary rates. */
    public static GroupLimits plain(int queue, int batch) {
        return new GroupLimits(queue, batch, 1, Duration.ZERO);
    }
}
