package io.mykit.delay.access;

import io.mykit.delay.queue.store.StoredNamespace;

/**
 * The limits of all tokens of a namespace together. 0 = no limit. Immutable.
 *
 * @param pushRate pushes a second
 * @param pullRate pulled messages a second
 * @param maxDelayMs the longest delay of a push, milliseconds
 * @param maxBody the largest body of a push, bytes
 * @param maxTopics the topics that are pushed to within a day
 */
public record NamespaceLimits(int pushRate, int pullRate, long maxDelayMs, int maxBody, int maxTopics) {
    public static final NamespaceLimits NONE = new NamespaceLimits(0, 0, 0, 0, 0);

    public static NamespaceLimits of(StoredNamespace row) {
        return new NamespaceLimits(row.pushRate(), row.pullRate(), row.maxDelayMs(), row.maxBody(), row.maxTopics());
    }
}
