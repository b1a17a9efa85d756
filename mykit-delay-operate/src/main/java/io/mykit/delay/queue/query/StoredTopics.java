package io.mykit.delay.queue.query;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.HeldMessage;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.bucket.TopicCensus;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.TopicPause;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/** Shows topics as index and store have them. Thread-safe; blocks. */
public final class StoredTopics implements TopicLookup {
    private static final int MAX_RECEIPTS = 1000;

    private final MessageStore store;
    private final HoldIndex index;
    private final PausedTopics paused;
    private final UnaryOperator<String> channels;

    /**
     * @param channels gives the name of a topic's channel
     */
    public StoredTopics(MessageStore store, HoldIndex index, PausedTopics paused, UnaryOperator<String> channels) {
        this.store = store;
        this.index = index;
        this.paused = paused;
        this.channels = channels;
    }

    @Override
    public List<TopicView> topics(String prefix, String after, int limit) {
        Map<String, TopicCensus> census =
                index.topics(prefix, after, limit).stream().collect(toMap(TopicCensus::topic, identity()));
        Map<String, Long> dead =
                store.deadTopics(prefix, after, limit).stream().collect(toMap(DeadTopic::topic, DeadTopic::count));
        // The first topics of all together are among the first ones of each, so no number is missing here.
        TreeSet<String> names = new TreeSet<>(census.keySet());
        names.addAll(dead.keySet());
        paused.all().stream()
                .map(TopicPause::topic)
                .filter(topic -> topic.startsWith(prefix) && topic.compareTo(after) > 0)
                .forEach(names::add);
        return names.stream()
                .limit(limit)
                .map(name ->
                        view(census.getOrDefault(name, none(name)), dead.getOrDefault(name, 0L), OptionalLong.empty()))
                .toList();
    }

    @Override
    public TopicView topic(String topic) {
        TopicCensus census = index.topics(List.of(topic)).get(0);
        OptionalLong oldest = index.peek(topic, Location.READY, 1).stream()
                .mapToLong(DelayMessage::dueTimeMs)
                .findFirst();
        return view(census, store.countDead(topic, DeadQuery.ALL), oldest);
    }

    @Override
    public List<PeekedMessage> peek(String topic, Location where, int limit) {
        if (where == Location.TAKEN) {
            List<HeldMessage> held = index.held(topic, limit);
            Map<String, Integer> attempts =
                    attempts(held.stream().map(HeldMessage::message).toList());
            return held.stream()
                    .map(each -> new PeekedMessage(
                            each.message(), attempts.getOrDefault(each.message().id(), 0), each.hold()))
                    .toList();
        }
        List<DelayMessage> messages = index.peek(topic, where, limit);
        Map<String, Integer> attempts = attempts(messages);
        return messages.stream()
                .map(message -> new PeekedMessage(message, attempts.getOrDefault(message.id(), 0), null))
                .toList();
    }

    private Map<String, Integer> attempts(List<DelayMessage> messages) {
        return store.states(messages.stream().map(DelayMessage::id).toList()).stream()
                .collect(toMap(RowState::id, RowState::attempts));
    }

    @Override
    public Map<String, Integer> holders(String topic) {
        Map<String, Integer> holders = new TreeMap<>();
        index.receipts(topic, MAX_RECEIPTS).forEach(receipt -> holders.merge(receipt.consumer(), 1, Integer::sum));
        return holders;
    }

    private TopicView view(TopicCensus census, long dead, OptionalLong oldest) {
        String topic = census.topic();
        return new TopicView(
                topic,
                channels.apply(topic),
                census.waiting(),
                census.ready(),
                census.held(),
                dead,
                oldest,
                paused.find(topic));
    }

    private static TopicCensus none(String topic) {
        return new TopicCensus(topic, 0, 0, 0);
    }
}
