package io.mykit.delay.queue.store;

/**
 * A namespace that an administrator made. Immutable.
 *
 * @param name the part before the first slash of its topics and ids
 * @param createdMs epoch milliseconds
 * @param createdBy the name of the caller that made it
 */
public record StoredNamespace(String name, String description, long createdMs, String createdBy) {
    /** Characters. */
    public static final int MAX_NAME = 64;
}
