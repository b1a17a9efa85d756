package io.mykit.delay.queue.store;

/**
 * The optional indexes of the message table, see {@code sql/optional/search.sql}. An operator decides about them, because each
 * push pays for an index.
 *
 * @param topic whether messages are found by topic and due time
 * @param bizKey whether messages are found by business key
 */
public record SearchIndexes(boolean topic, boolean bizKey) {
    public static final SearchIndexes NONE = new SearchIndexes(false, false);
}
