package io.mykit.delay.queue.store;

/**
 * A namespace that an administrator made. Immutable.
 *
 * @param name the part before the first slash of its topics and ids
 * @param createdMs epoch milliseconds
 * @param createdBy the name of the caller that made it
 * @param pushRate the pushes a second of all its tokens; 0 = no limit, as for all numbers after it
 * @param pullRate the messages that all its tokens pull a second
 * @param maxDelayMs the longest delay of a push, milliseconds
 * @param maxBody the largest body of a push, bytes
 * @param maxTopics the topics that its tokens push to within a day
 */
public record StoredNamespace(
        String name,
        String description,
        long createdMs,
        String createdBy,
        int pushRate,
        int pullRate,
        long maxDelayMs,
        int maxBody,
        int maxTopics) {
    /** Characters. */
    public static final int MAX_NAME = 64;
}
