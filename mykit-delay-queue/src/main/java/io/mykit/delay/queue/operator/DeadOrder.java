package io.mykit.delay.queue.operator;

import io.mykit.delay.queue.store.DeadQuery;

/**
 * The choice of dead letters that an operator respawns or discards. It always has a topic or a prefix, so that no call
 * means all dead letters by accident.
 *
 * @param topics the name of the one topic, or the prefix of the topics
 * @param isPrefix whether {@code topics} is a prefix
 * @param query the times of death and the reason
 * @param limit the maximum of dead letters, the oldest of each topic first
 * @param dryRun whether they are only counted and not changed
 */
public record DeadOrder(String topics, boolean isPrefix, DeadQuery query, long limit, boolean dryRun) {
    public DeadOrder {
        if (topics.isEmpty()) {
            throw new IllegalArgumentException("an order needs a topic or a prefix");
        }
    }

    /** The order as text for the log. */
    @Override
    public String toString() {
        return "dead letters of " + (isPrefix ? "topics that begin with " : "topic ") + topics
                + query.reason().map(reason -> ", reason " + reason).orElse("")
                + (dryRun ? ", dry run" : "");
    }
}
