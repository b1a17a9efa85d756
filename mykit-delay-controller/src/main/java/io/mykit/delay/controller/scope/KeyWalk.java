package io.mykit.delay.controller.scope;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.search.KeySearch;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@link KeySearch} for one namespace: it walks along the ids of the namespace, page by page, also where the index of business keys is there.
 * So neither its answer nor its time tells about messages of others. The answer is complete, or there is none. Thread-safe; blocks.
 */
final class KeyWalk {
    /** The maximum of pages. A page ends after 500 ms, so a slow database does not hold the caller for longer than some seconds. */
    static final int MAX_PAGES = 10;

    private final String namespace;
    private final Function<SearchOrder, SearchPage> search;

    /** @param search of the messages of the namespace, by their names within it */
    KeyWalk(String namespace, Function<SearchOrder, SearchPage> search) {
        this.namespace = namespace;
        this.search = search;
    }

    /**
     * The ids of the unfinished messages, in the order of their due times.
     *
     * @throws DelayException TOO_MANY, BUSY or STORE_UNAVAILABLE
     */
    List<String> unfinished(String topic, String bizKey) {
        List<FoundMessage> found = new ArrayList<>();
        Optional<SearchCursor> after = Optional.empty();
        long looked = 0;
        for (int pages = 0; pages < MAX_PAGES; pages++) {
            SearchPage page = search.apply(new SearchOrder(filter(topic, bizKey), after, SearchOrder.MAX_LIMIT));
            found.addAll(page.items());
            looked += page.looked();
            after = page.next();
            if (found.size() > KeySearch.MAX_MESSAGES) {
                throw tooMany("more than " + KeySearch.MAX_MESSAGES + " unfinished messages of topic " + topic
                        + " have bizKey " + bizKey
                        + ", and one call takes no more; use their ids, which GET /messages?topic=&bizKey= lists");
            }
            if (after.isEmpty()) {
                return inDueOrder(found);
            }
            if (looked >= KeySearch.MAX_ROWS) {
                throw tooMany("the namespace " + namespace + " has more than " + KeySearch.MAX_ROWS
                        + " messages, those of other topics and those that have ended included; use ids");
            }
        }
        throw new DelayException(
                ErrorCode.BUSY, "the search for the business key took too long; nothing was done, try again");
    }

    private static SearchFilter filter(String topic, String bizKey) {
        return new SearchFilter(
                MessageStatus.UNFINISHED,
                DueWindow.ALL,
                Optional.of(topic),
                Optional.empty(),
                Optional.of(bizKey),
                Optional.empty());
    }

    private static List<String> inDueOrder(List<FoundMessage> found) {
        return found.stream()
                .sorted(Comparator.comparingLong(FoundMessage::dueTimeMs).thenComparing(FoundMessage::id))
                .map(FoundMessage::id)
                .toList();
    }

    private static DelayException tooMany(String why) {
        return new DelayException(ErrorCode.TOO_MANY, why + "; nothing was done");
    }
}
