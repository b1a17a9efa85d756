package io.mykit.delay.queue.operate;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.queue.DelayQueue;
import io.mykit.delay.queue.census.PartCensus;
import io.mykit.delay.queue.census.QueueCensus;
import io.mykit.delay.queue.census.ScrapeWatch;
import io.mykit.delay.queue.overview.NodeBoard;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.query.StoredTopics;
import io.mykit.delay.queue.query.TopicBoard;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.search.DueCensus;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.MessageSearch;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.state.QueueState;
import io.mykit.delay.queue.store.SearchIndexes;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

/** The view of one node. Start it after the queue serves and before this node joins the election; close it before the queue. */
public final class NodeView implements QueueView, Service {
    private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final MessageSearch search;
    private final DueCensus due;
    private final TopicLookup topics;
    private final TopicBoard board;
    private final NodeBoard node;
    private final LoopRunner parts;
    private final LoopRunner counts;
    private final ServiceStack services = new ServiceStack();

    /**
     * @param identity the facts about this node
     * @param scrapes tells whether metrics are read; the counts for metrics are made while they are
     */
    public NodeView(DelayQueue queue, NodeIdentity identity, ScrapeWatch scrapes, MeterRegistry meters) {
        QueueState state = queue.state();
        search = new MessageSearch(
                state.store().search(), state.index()::locate, state.index()::sharedBucketOf, state.clock());
        due = new DueCensus(state.store().search(), state.clock());
        // The first visitor of the console finds numbers.
        queue.onTerm(due::begin);
        UnaryOperator<String> channels = state.channels()::channelOf;
        topics = new StoredTopics(state.store(), state.index().holds(), state.paused(), channels);
        board = new TopicBoard(
                state.index().holds(),
                state.store(),
                state.paused(),
                state.differing(),
                channels,
                state.failing(),
                state::leads,
                state.clock(),
                System::nanoTime);
        node = new NodeBoard(identity, state, meters);
        PartCensus partCensus = new PartCensus(state.store(), state.channels(), state.elector(), scrapes);
        QueueCensus queueCensus = new QueueCensus(
                state.store(), state.index(), state.clock(), state.elector(), scrapes, state.topicMeters());
        partCensus.register(meters);
        queueCensus.register(meters);
        parts = new LoopRunner("part-census", partCensus, PAUSE);
        counts = new LoopRunner("queue-census", queueCensus, PAUSE);
        scrapes.onFirst(() -> {
            parts.wake();
            counts.wake();
        });
    }

    @Override
    public void start() {
        services.opened(due);
        services.start(parts);
        services.start(counts);
        services.start(node);
    }

    @Override
    public void close() {
        services.close();
    }

    @Override
    public SearchPage search(SearchOrder order) {
        return search.find(order);
    }

    @Override
    public List<String> unfinished(String topic, String bizKey) {
        return search.keys().unfinished(topic, bizKey);
    }

    @Override
    public SearchIndexes indexes() {
        return search.indexes().now();
    }

    @Override
    public DueCount due() {
        return due.count();
    }

    @Override
    public TopicLookup topics() {
        return topics;
    }

    @Override
    public TopicList topics(TopicListOrder order) {
        return board.list(order);
    }

    @Override
    public TopicState state(String topic) {
        return board.state(topic);
    }

    @Override
    public Overviews overviews() {
        return node.overviews();
    }
}
