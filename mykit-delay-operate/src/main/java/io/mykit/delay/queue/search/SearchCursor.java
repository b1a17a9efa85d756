package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.RowCursor;

/**
 * The end of a page of a search.
 *
 * @param way of the search. Another way has another order, so its cursors have no meaning there
 * @param topic of the last row that the search has looked at, on a way along topics; otherwise empty
 * @param last the last row that the search has looked at
 */
public record SearchCursor(SearchWay way, String topic, RowCursor last) {
    static SearchCursor start(SearchWay way) {
        return new SearchCursor(way, "", RowCursor.START);
    }

    /** The place behind a row on the same way. */
    SearchCursor behind(FoundMessage row) {
        return new SearchCursor(way, way == SearchWay.TOPIC_PREFIX ? row.topic() : "", row.cursor());
    }
}
