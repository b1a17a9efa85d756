package io.mykit.delay.queue.store;

/**
 * The new columns of a namespace, as in {@link StoredNamespace}. A column that is null stays as it is in the store, so two changes of
 * different columns never undo each other. Immutable.
 */
public record NamespaceColumns(
        String description, Integer pushRate, Integer pullRate, Long maxDelayMs, Integer maxBody, Integer maxTopics) {
    public NamespaceColumns {
        if (description == null
                && pushRate == null
                && pullRate == null
                && maxDelayMs == null
                && maxBody == null
                && maxTopics == null) {
            throw new IllegalArgumentException("no column of the namespace changes");
        }
    }
}
