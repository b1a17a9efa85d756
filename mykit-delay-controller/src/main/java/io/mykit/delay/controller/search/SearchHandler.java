package io.mykit.delay.controller.search;

import io.mykit.delay.common.lifecycle.Workers;
import io.mykit.delay.controller.call.Call;
import io.mykit.delay.controller.call.CallHandler;
import io.mykit.delay.controller.reply.Envelope;
import io.mykit.delay.controller.reply.Reply;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Answers {@code GET /messages}. */
final class SearchHandler implements CallHandler {
    private final Function<SearchOrder, SearchPage> search;
    private final UnaryOperator<String> channels;
    private final Workers workers;

    /** @param channels gives the name of a topic's channel */
    SearchHandler(Function<SearchOrder, SearchPage> search, UnaryOperator<String> channels, Workers workers) {
        this.search = search;
        this.channels = channels;
        this.workers = workers;
    }

    @Override
    public CompletableFuture<Reply> handle(Call call) {
        SearchOrder order = SearchFields.order(call.parameters());
        return workers.run(() -> Envelope.success(data(search.apply(order), order.filter())));
    }

    private Map<String, Object> data(SearchPage page, SearchFilter filter) {
        Map<String, Object> data = new LinkedHashMap<>();
        data.put("asOf", page.asOfMs());
        data.put("by", page.by().word());
        data.put(
                "items",
                page.items().stream()
                        .map(row -> item(
                                row,
                                page.details().get(row.id()),
                                page.buckets().get(row.id())))
                        .toList());
        data.put("looked", page.looked());
        page.about().ifPresent(rows -> data.put("about", rows));
        data.put("until", page.until().map(SearchHandler::until).orElse(null));
        data.put("complete", page.complete());
        data.put(
                "next", page.next().map(cursor -> CursorText.of(cursor, filter)).orElse(null));
        return data;
    }

    /**
     * @param details null = the database did not tell them in time
     * @param bucket null = the index does not tell it
     */
    private Map<String, Object> item(FoundMessage row, FoundDetails details, Integer bucket) {
        Map<String, Object> item = new LinkedHashMap<>();
        item.put("id", row.id());
        item.put("topic", row.topic());
        item.put("subtopic", row.subtopic());
        item.put("bizKey", row.bizKey());
        item.put("status", row.status().name());
        item.put("dueTime", row.firstDueMs());
        if (row.dueTimeMs() != row.firstDueMs()) {
            item.put("nextAttempt", row.dueTimeMs());
        }
        item.put("createTime", row.createTimeMs());
        item.put("attempts", row.attempts());
        item.put("priority", row.priority());
        if (details != null) {
            item.put("bodyBytes", details.bodyBytes());
            if (!details.requestId().isEmpty()) {
                item.put("requestId", details.requestId());
            }
        }
        item.put("channel", channels.apply(row.topic()));
        if (bucket != null) {
            item.put("bucket", bucket);
        }
        return item;
    }

    private static Map<String, Object> until(FoundMessage last) {
        Map<String, Object> until = new LinkedHashMap<>();
        until.put("status", last.status().name());
        until.put("dueTime", last.dueTimeMs());
        until.put("id", last.id());
        return until;
    }
}
