package io.mykit.delay.queue.store.mybatis;

/**
 * A row of {@code mykit_delay_queue_author}; the components are its columns.
 *
 * @param author its number
 * @param thread a loop or a component of the node
 */
record Author(int author, String host, String thread) {
    /** Stands for an author whose row is not there, as after the restore of an older backup. */
    static final Author UNKNOWN = new Author(0, "", "");
}
