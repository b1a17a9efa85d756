package io.mykit.delay.queue.search;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.SearchStore;
import java.util.List;
import java.util.Set;

/** The ranges of rows on the way of a search. Stateless. */
final class SearchStreams {
    private static final int LEAST_STEP = 50;

    private SearchStreams() {}

    /** @param step the rows that one step reads from all ranges together */
    static List<RowStream> of(SearchStore store, SearchOrder order, SearchWay way, int step) {
        SearchFilter filter = order.filter();
        DueWindow window = filter.window();
        SearchCursor after = order.after().orElse(SearchCursor.start(way));
        return switch (way) {
            case ID -> {
                String prefix = filter.idPrefix().orElseThrow();
                yield one((last, limit) -> store.byId(prefix, last.last().id(), limit), after, step);
            }
            case BIZ_KEY -> {
                String bizKey = filter.bizKey().orElseThrow();
                yield one((last, limit) -> store.byBizKey(bizKey, last.last().id(), limit), after, step);
            }
            case TOPIC -> {
                String topic = filter.topic().orElseThrow();
                yield one((last, limit) -> store.byTopic(topic, window, last.last(), limit), after, step);
            }
            case TOPIC_PREFIX -> {
                String prefix = filter.topicPrefix().orElseThrow();
                yield one((last, limit) -> store.byTopicPrefix(prefix, last.topic(), last.last(), limit), after, step);
            }
            case DUE, WALK -> statuses(store, filter, after, step);
        };
    }

    private static List<RowStream> one(RowStream.Pages pages, SearchCursor after, int step) {
        return List.of(new RowStream(pages, after, step));
    }

    private static List<RowStream> statuses(SearchStore store, SearchFilter filter, SearchCursor after, int step) {
        Set<MessageStatus> statuses = filter.statusesToRead();
        int each = Math.min(step, Math.max(LEAST_STEP, step / statuses.size()));
        return statuses.stream()
                .map(status -> new RowStream(
                        (last, limit) -> store.byDue(status, filter.window(), last.last(), limit), after, each))
                .toList();
    }
}
