package io.mykit.delay.queue.store;

import io.mykit.delay.config.QueueConfig;

/**
 * What makes nodes work on the same messages: the queue's name, and the prefix of its Redis keys, as nodes that share only the
 * name would each have an index of their own.
 *
 * @param row the name of its row in the database: the queue's name, followed by {@code @} and the prefix unless that is the
 *     default
 */
public record QueueIdentity(String row) {

    public static QueueIdentity of(QueueConfig queue) {
        boolean own = !queue.prefix().equals(QueueConfig.PREFIX);
        return new QueueIdentity(own ? queue.name() + "@" + queue.prefix() : queue.name());
    }

    public boolean hasOwnPrefix() {
        return row.indexOf('@') >= 0;
    }

    /** As SQL text. Names come from a database, so they may hold anything. */
    public static String quoted(String name) {
        return "'" + name.replace("'", "''") + "'";
    }
}
