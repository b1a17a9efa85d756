package io.mykit.delay.queue.search;

import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A page of a search.
 *
 * @param asOfMs the time of the search, epoch milliseconds
 * @param items in the order of the way
 * @param details by id; missing where the database did not tell them in time
 * @param buckets by id; empty if the index does not tell them
 * @param looked the rows that the search looked at for this page
 * @param about the database's estimate of all rows that the search has to look at; only on a walk
 * @param until the last row that the search looked at; empty = there was none
 * @param complete whether no message follows
 * @param next the begin of the next page; empty if the search is complete
 */
public record SearchPage(
        long asOfMs,
        SearchWay by,
        List<FoundMessage> items,
        Map<String, FoundDetails> details,
        Map<String, Integer> buckets,
        long looked,
        OptionalLong about,
        Optional<FoundMessage> until,
        boolean complete,
        Optional<SearchCursor> next) {}
