package io.mykit.delay.queue.census;

import io.mykit.delay.queue.bucket.NearCount;
import java.util.Map;

/**
 * What one look at the queue found. A part that did not answer is missing.
 *
 * @param near null = Redis did not answer
 * @param rows null = the database did not answer
 * @param topics by name; those without messages have zeros
 */
record QueueCount(NearCount near, Rows rows, Map<String, Topic> topics) {
    static final QueueCount UNKNOWN = new QueueCount(null, null, Map.of());

    /**
     * Rows of unfinished messages.
     *
     * @param far messages that wait in the store only, up to the limit
     * @param capped whether {@code far} reached the limit
     * @param overdue messages due for more than a second, up to the limit of each status
     * @param oldestMs the due time of the oldest of them; 0 = none is overdue
     */
    record Rows(long far, boolean capped, long overdue, long oldestMs) {}

    /**
     * A topic in the index.
     *
     * @param oldestMs the due time of its oldest ready message; 0 = none is ready
     */
    record Topic(long messages, long oldestMs) {}
}
