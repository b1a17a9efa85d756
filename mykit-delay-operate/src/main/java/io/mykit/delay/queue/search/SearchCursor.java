package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.RowCursor;

/**
 * The end of a page of a search.
 *
 * @param way of the search. Another way has another order, so its cursors have no meaning there
 * @param last the last row that the search has looked at
 */
public record SearchCursor(SearchWay way, RowCursor last) {}
