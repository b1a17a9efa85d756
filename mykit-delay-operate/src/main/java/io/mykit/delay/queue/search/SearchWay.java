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
        return filter.topic().isPresent() || filter.bizKey().isPresent() ? WALK : DUE;
    }

    /** Whether each row on this way fits, so that a page costs as many rows as it shows. */
    boolean isExact(SearchFilter filter) {
        boolean restOfAll = filter.statuses().isEmpty() && filter.window().equals(DueWindow.ALL);
        return switch (this) {
            case ID -> restOfAll && filter.topic().isEmpty() && filter.bizKey().isEmpty();
            case BIZ_KEY -> restOfAll && filter.topic().isEmpty();
            case TOPIC -> filter.statuses().isEmpty() && filter.bizKey().isEmpty();
            case DUE -> true;
            case WALK -> false;
        };
    }
}
