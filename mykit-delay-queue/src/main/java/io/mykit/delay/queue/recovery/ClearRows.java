package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.TopicPart;
import java.util.List;
import java.util.function.Function;

/**
 * A walk through the rows of a clear, part by part and without their bodies. One thread.
 *
 * @param <K> a key in the order of the walk
 */
final class ClearRows<K> {
    /** The number of rows that the database looks at for one part of a topic. A stop waits for the end of a part. */
    private static final int LOOKED = 5_000;

    private final Function<K, TopicPart<K>> read;
    private K after;
    private boolean ended;

    private ClearRows(K begin, Function<K, TopicPart<K>> read) {
        this.after = begin;
        this.read = read;
    }

    /** All rows of a walk. */
    static ClearRows<RowCursor> all(DueRows<RowState> pages) {
        return new ClearRows<>(RowCursor.START, after -> part(pages.next()));
    }

    /** The rows of one topic in one status. The database looks at all rows in the status. */
    static ClearRows<RowCursor> byStatus(SearchStore store, String topic, MessageStatus status, long dueBeforeMs) {
        return new ClearRows<>(RowCursor.START, after -> store.ofTopic(topic, status, after, dueBeforeMs, LOOKED));
    }

    /** The unfinished rows of one topic. The database looks at all rows of the table. */
    static ClearRows<String> byId(SearchStore store, String topic, long dueBeforeMs) {
        return new ClearRows<>("", after -> store.ofTopic(topic, after, dueBeforeMs, LOOKED));
    }

    /** The unfinished rows of one topic that are due at a time or later, by the optional index of topics. */
    static ClearRows<RowCursor> byTopic(SearchStore store, String topic, long dueFromMs) {
        return new ClearRows<>(new RowCursor(dueFromMs, ""), after -> {
            TopicPart<RowCursor> part = part(store.ofTopic(topic, after, LOOKED));
            List<RowState> unfinished = part.rows().stream()
                    .filter(row -> row.status().isUnfinished())
                    .toList();
            return new TopicPart<>(unfinished, part.looked(), part.last());
        });
    }

    private static TopicPart<RowCursor> part(List<RowState> rows) {
        if (rows.isEmpty()) {
            return new TopicPart<>(rows, 0, null);
        }
        RowState last = rows.get(rows.size() - 1);
        return new TopicPart<>(rows, rows.size(), new RowCursor(last.dueTimeMs(), last.id()));
    }

    boolean isEnded() {
        return ended;
    }

    /** Reads the next part, which may have no rows. */
    TopicPart<K> next() {
        TopicPart<K> part = read.apply(after);
        after = part.last();
        ended = after == null;
        return part;
    }
}
