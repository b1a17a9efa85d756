package io.mykit.delay.queue.search;

import java.util.Optional;

/**
 * One page of a search.
 *
 * @param after the end of the page before; empty = the first page
 * @param limit the maximum of messages
 */
public record SearchOrder(SearchFilter filter, Optional<SearchCursor> after, int limit) {
    /** The maximum of messages in a page. */
    public static final int MAX_LIMIT = 500;
}
