package io.mykit.delay.controller.scope;

import io.mykit.delay.access.scope.Names;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.query.PeekedMessage;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicRow;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.query.TopicView;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchFilter;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.TopicPause;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The view of one namespace. A search always goes along the ids of the namespace, so it looks at no row outside, and its cursors name none.
 * What shows the whole queue is refused. Thread-safe.
 */
public final class ScopedView implements QueueView {
    private final QueueView all;
    private final Names names;
    private final KeyWalk keys;

    public ScopedView(QueueView all, Names names) {
        this.all = all;
        this.names = names;
        this.keys = new KeyWalk(names.namespace(), this::search);
    }

    @Override
    public SearchPage search(SearchOrder order) {
        SearchFilter filter = order.filter();
        SearchFilter full = new SearchFilter(
                filter.statuses(),
                filter.window(),
                names.in(filter.topic()),
                names.in(filter.topicPrefix()),
                filter.bizKey(),
                Optional.of(names.in(filter.idPrefix().orElse(""))));
        SearchPage page =
                names.call(() -> all.search(new SearchOrder(full, order.after().map(this::in), order.limit())));
        return new SearchPage(
                page.asOfMs(),
                page.by(),
                page.items().stream().filter(this::has).map(this::out).toList(),
                out(page.details()),
                out(page.buckets()),
                page.looked(),
                OptionalLong.empty(),
                page.until().filter(this::has).map(this::out),
                page.complete(),
                page.next().map(this::out));
    }

    private SearchCursor in(SearchCursor cursor) {
        return new SearchCursor(
                cursor.way(),
                names.in(cursor.topic()),
                new RowCursor(cursor.last().dueTimeMs(), names.in(cursor.last().id())));
    }

    private SearchCursor out(SearchCursor cursor) {
        return new SearchCursor(
                cursor.way(),
                names.out(cursor.topic()),
                new RowCursor(cursor.last().dueTimeMs(), names.out(cursor.last().id())));
    }

    private boolean has(FoundMessage row) {
        return names.has(row.id()) && names.has(row.topic());
    }

    private FoundMessage out(FoundMessage row) {
        return new FoundMessage(
                names.out(row.id()),
                names.out(row.topic()),
                row.subtopic(),
                row.bizKey(),
                row.status(),
                row.dueTimeMs(),
                row.firstDueMs(),
                row.createTimeMs(),
                row.attempts(),
                row.priority());
    }

    private <T> Map<String, T> out(Map<String, T> byId) {
        Map<String, T> renamed = new HashMap<>();
        byId.forEach((id, value) -> renamed.put(names.out(id), value));
        return renamed;
    }

    @Override
    public List<String> unfinished(String topic, String bizKey) {
        return keys.unfinished(topic, bizKey);
    }

    @Override
    public TopicLookup topics() {
        return new ScopedTopics(all.topics());
    }

    @Override
    public TopicList topics(TopicListOrder order) {
        TopicList list = all.topics(new TopicListOrder(
                names.in(order.prefix()),
                order.trouble(),
                order.sort(),
                order.after().isEmpty() ? "" : names.in(order.after()),
                order.limit()));
        return new TopicList(
                list.asOfMs(),
                list.total(),
                list.troubled(),
                list.complete(),
                list.leads(),
                list.rows().stream()
                        .filter(row -> names.has(row.topic()))
                        .map(this::out)
                        .toList(),
                list.last());
    }

    private TopicRow out(TopicRow row) {
        TopicCount count = row.count();
        return new TopicRow(
                row.channel(),
                new TopicCount(
                        names.out(count.topic()),
                        count.waiting(),
                        count.ready(),
                        count.held(),
                        count.leased(),
                        count.oldestMs()),
                row.dead(),
                row.oldestOverdueMs(),
                row.pause().map(pause -> new TopicPause(names.out(pause.topic()), pause.untilMs())),
                row.differs(),
                row.backsOff());
    }

    @Override
    public TopicState state(String topic) {
        return all.state(names.in(topic));
    }

    @Override
    public SearchIndexes indexes() {
        throw wholeQueue();
    }

    @Override
    public DueCount due() {
        throw wholeQueue();
    }

    @Override
    public Overviews overviews() {
        throw wholeQueue();
    }

    private DelayException wholeQueue() {
        return new DelayException(
                ErrorCode.FORBIDDEN, "this shows the whole queue, and the token is of " + names.namespace());
    }

    private final class ScopedTopics implements TopicLookup {
        private final TopicLookup lookup;

        ScopedTopics(TopicLookup lookup) {
            this.lookup = lookup;
        }

        @Override
        public List<TopicView> topics(String prefix, String after, int limit) {
            return lookup.topics(names.in(prefix), after.isEmpty() ? "" : names.in(after), limit).stream()
                    .filter(topic -> names.has(topic.topic()))
                    .map(this::out)
                    .toList();
        }

        @Override
        public TopicView topic(String topic) {
            return out(lookup.topic(names.in(topic)));
        }

        private TopicView out(TopicView topic) {
            return new TopicView(
                    names.out(topic.topic()),
                    topic.channel(),
                    topic.waiting(),
                    topic.ready(),
                    topic.held(),
                    topic.dead(),
                    topic.oldestReadyMs(),
                    topic.pause().map(pause -> new TopicPause(names.out(pause.topic()), pause.untilMs())));
        }

        @Override
        public List<PeekedMessage> peek(String topic, Location where, int limit) {
            return lookup.peek(names.in(topic), where, limit).stream()
                    .filter(each -> names.has(each.message().id()))
                    .map(each -> new PeekedMessage(names.out(each.message()), each.attempts(), each.hold()))
                    .toList();
        }

        @Override
        public Map<String, Integer> holders(String topic) {
            return lookup.holders(names.in(topic));
        }
    }
}
