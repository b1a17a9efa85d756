package io.mykit.delay.queue.search;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundMessage;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The messages that a search finds. Immutable.
 *
 * @param statuses empty = all statuses
 * @param window of the time of the next attempt
 * @param topic the exact name
 * @param topicPrefix the begin of the names of topics; excludes {@code topic}
 * @param bizKey the exact key
 * @param idPrefix the begin of the ids
 */
public record SearchFilter(
        Set<MessageStatus> statuses,
        DueWindow window,
        Optional<String> topic,
        Optional<String> topicPrefix,
        Optional<String> bizKey,
        Optional<String> idPrefix) {
    public SearchFilter {
        statuses = Set.copyOf(statuses);
    }

    /** The statuses that a search has to look at. */
    Set<MessageStatus> statusesToRead() {
        return statuses.isEmpty() ? EnumSet.allOf(MessageStatus.class) : EnumSet.copyOf(statuses);
    }

    boolean matches(FoundMessage row) {
        return (statuses.isEmpty() || statuses.contains(row.status()))
                && window.contains(row.dueTimeMs())
                && topic.map(row.topic()::equals).orElse(true)
                && topicPrefix.map(row.topic()::startsWith).orElse(true)
                && bizKey.map(row.bizKey()::equals).orElse(true)
                && idPrefix.map(row.id()::startsWith).orElse(true);
    }
}
