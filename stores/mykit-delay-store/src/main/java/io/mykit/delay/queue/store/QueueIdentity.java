package io.mykit.delay.queue.store;

import io.mykit.delay.config.QueueConfig;

/**
 * The identity of a queue: its name and the prefix of its Redis keys. Nodes with the same identity work on the same
 * messages. The name alone is not enough: nodes with the same name and different prefixes would each have an index of
 * their own.
 *
 * @param row the name of the row of the queue in the database: the name of the queue, followed by {@code @} and the
 *     prefix if the prefix is not the default
 */
public record QueueIdentity(String row) {

    public static QueueIdentity of(QueueConfig queue) {
        boolean own = !queue.prefix().equals(QueueConfig.PREFIX);
        return new QueueIdentity(own ? queue.name() + "@" + queue.prefix() : queue.name());
    }

    public boolean hasOwnPrefix() {
        return row.indexOf('@') >= 0;
    }

    /** A name as SQL text. The name comes from a database, so it may hold any character. */
    public static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }
}
