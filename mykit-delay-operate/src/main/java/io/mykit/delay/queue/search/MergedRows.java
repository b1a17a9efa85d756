package io.mykit.delay.queue.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.queue.store.FoundMessage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Several ranges of rows as one, in the order of due time and id. One thread. */
final class MergedRows {
    /** Databases compare ids by their bytes in UTF-8. That differs from the order of Java for some characters. */
    private static final Comparator<FoundMessage> DUE_ORDER = Comparator.comparingLong(FoundMessage::dueTimeMs)
            .thenComparing(row -> row.id().getBytes(UTF_8), Arrays::compareUnsigned);

    private final List<RowStream> streams;

    MergedRows(List<RowStream> streams) {
        this.streams = streams;
    }

    /** Whether {@link #next} reads nothing from the store. */
    boolean isRead() {
        return streams.stream().allMatch(RowStream::isRead);
    }

    /** The next row; null = no row is left. */
    FoundMessage next() {
        RowStream first = null;
        for (RowStream stream : streams) {
            FoundMessage row = stream.peek();
            if (row != null && (first == null || DUE_ORDER.compare(row, first.peek()) < 0)) {
                first = stream;
            }
        }
        if (first == null) {
            return null;
        }
        FoundMessage row = first.peek();
        first.pass();
        return row;
    }
}
