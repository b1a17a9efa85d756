package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.SearchIndexes;

/** The way in which a search finds its messages. The word is part of the answer. */
public enum SearchWay {
    /** Along the ids. */
    ID("id"),
    /** Along the due times of each status. */
    DUE("due"),
    /** Along the due times of one topic, by an optional index. */
    TOPIC("topic"),
    /** Along the topics that begin with a text, and the due times of each, by an optional index. */
    TOPIC_PREFIX("topicPrefix"),
    /** Along the ids of one business key, by an optional index. */
    BIZ_KEY("bizKey"),
    /** Along the due times of each status, past rows that do not fit. */
    WALK("walk");

    private final String word;

    SearchWay(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    /** The shortest way that the indexes offer. */
    static SearchWay of(SearchFilter filter, SearchIndexes indexes) {
        if (filter.idPrefix().isPresent()) {
            return ID;
        }
        if (filter.bizKey().isPresent() && indexes.bizKey()) {
            return BIZ_KEY;
        }
        if (filter.topic().isPresent() && indexes.topic()) {
            return TOPIC;
        }
        // Messages that have ended are nearly all of a topic. So with a status or a window the due times are the
        // shorter way.
        if (filter.topicPrefix().isPresent() && indexes.topic() && hasAllStatusesAndTimes(filter)) {
            return TOPIC_PREFIX;
        }
        return filter.topic().isPresent()
                        || filter.topicPrefix().isPresent()
                        || filter.bizKey().isPresent()
                ? WALK
                : DUE;
    }

    /** Whether each row on this way fits, so that a page costs as many rows as it shows. */
    boolean isExact(SearchFilter filter) {
        boolean anyTopic = filter.topic().isEmpty() && filter.topicPrefix().isEmpty();
        return switch (this) {
            case ID ->
                hasAllStatusesAndTimes(filter) && anyTopic && filter.bizKey().isEmpty();
            case BIZ_KEY -> hasAllStatusesAndTimes(filter) && anyTopic;
            case TOPIC_PREFIX -> filter.bizKey().isEmpty();
            case TOPIC -> filter.statuses().isEmpty() && filter.bizKey().isEmpty();
            case DUE -> true;
            case WALK -> false;
        };
    }

    private static boolean hasAllStatusesAndTimes(SearchFilter filter) {
        return filter.statuses().isEmpty() && filter.window().equals(DueWindow.ALL);
    }
}
