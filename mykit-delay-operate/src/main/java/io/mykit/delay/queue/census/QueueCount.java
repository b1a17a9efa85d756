package io.mykit.delay.queue.census;

import io.mykit.delay.queue.bucket.NearCount;

/**
 * What one look at the queue found. A part that did not answer is missing.
 *
 * @param near null = Redis did not answer
 * @param rows null = the database did not answer
 */
record QueueCount(NearCount near, Rows rows) {
    static final QueueCount UNKNOWN = new QueueCount(null, null);

    /**
     * Rows of unfinished messages.
     *
     * @param far messages that wait in the store only, up to the limit
     * @param capped whether {@code far} reached the limit
     * @param overdue messages due for more than a second, up to the limit of each status
     * @param oldestMs the due time of the oldest of them; 0 = none is overdue
     */
    record Rows(long far, boolean capped, long overdue, long oldestMs) {}
}
