package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ConsoleConfig;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.operate.QueueView;
import io.mykit.delay.queue.overview.Overviews;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicLookup;
import io.mykit.delay.queue.query.TopicRow;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.search.SearchWay;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchIndexes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Finds what was looked for, and remembers the last order. Nothing is in the namespaces {@code clean} and {@code dead}. */
final class StubSearch implements QueueView {
    private final TopicLookup topics = new StubTopics();
    private final Overviews overviews;
    volatile SearchOrder last;
    volatile SearchCursor next = new SearchCursor(SearchWay.WALK, "", new RowCursor(9, "20"));
    volatile String lastTopic;
    volatile long rescheduledTo;
    volatile ConsoleConfig.Bodies bodies = ConsoleConfig.Bodies.ALL;
    volatile Optional<String> mask = Optional.empty();

    StubSearch(Overviews overviews) {
        this.overviews = overviews;
    }

    /** What people see of messages. */
    ConsoleConfig console() {
        return new ConsoleConfig() {
            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public Bodies bodies() {
                return bodies;
            }

            @Override
            public Optional<String> mask() {
                return mask;
            }
        };
    }

    @Override
    public SearchPage search(SearchOrder order) {
        last = order;
        if (Stream.concat(order.filter().topicPrefix().stream(), order.filter().idPrefix().stream())
                .anyMatch(Set.of("clean/", "dead/")::contains)) {
            return new SearchPage(
                    StubBackend.NOW,
                    SearchWay.WALK,
                    List.of(),
                    Map.of(),
                    Map.of(),
                    0,
                    OptionalLong.empty(),
                    Optional.empty(),
                    true,
                    Optional.empty());
        }
        FoundMessage found = new FoundMessage("20", "t", "s", "k", MessageStatus.DELAY, 9, 8, 7, 1, 2);
        return new SearchPage(
                StubBackend.NOW,
                SearchWay.WALK,
                List.of(found),
                Map.of("20", new FoundDetails(812, "r-1")),
                Map.of("20", 3),
                20_000,
                OptionalLong.of(3_100_000),
                Optional.of(found),
                false,
                Optional.of(next));
    }

    /** The key has the ids of the messages, separated by commas; or it is the word of an error. */
    @Override
    public List<String> unfinished(String topic, String bizKey) {
        lastTopic = topic;
        return switch (bizKey) {
            case "none" -> List.of();
            case "many" -> throw new DelayException(ErrorCode.TOO_MANY, "more than 1000");
            default -> List.of(bizKey.split(","));
        };
    }

    Optional<Long> reschedule(String id, long dueTimeMs) {
        rescheduledTo = dueTimeMs;
        return switch (id) {
            case "unknown" -> Optional.empty();
            case "STORE_UNAVAILABLE" -> throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
            case "finished" -> throw new DelayException(ErrorCode.ALREADY_FINISHED, "message finished has ended");
            default -> Optional.of(dueTimeMs);
        };
    }

    @Override
    public TopicList topics(TopicListOrder order) {
        FailingTopics.Topic backsOff = new FailingTopics.Topic("t", 5, 4, "no route");
        TopicRow row = new TopicRow(
                order.sort().word(),
                new TopicCount(order.prefix() + order.after(), order.limit(), 2, 3, 4, OptionalLong.of(6)),
                7,
                8,
                Optional.empty(),
                Optional.empty(),
                Optional.of(backsOff));
        return new TopicList(StubBackend.NOW, order.trouble() ? 4 : 10, 4, true, true, List.of(row), false);
    }

    @Override
    public TopicState state(String topic) {
        return new TopicState(!topic.equals("standby"), differs(topic), Optional.empty());
    }

    private static Optional<TopicDifferences.Difference> differs(String topic) {
        return Optional.of(new TopicDifferences.Difference(topic, "b:6355", "pull", "rocketmq"))
                .filter(difference -> topic.equals("differs"));
    }

    @Override
    public SearchIndexes indexes() {
        return new SearchIndexes(true, false);
    }

    @Override
    public DueCount due() {
        return new DueCount(Optional.empty(), true, OptionalDouble.of(0.5));
    }

    @Override
    public TopicLookup topics() {
        return topics;
    }

    @Override
    public Overviews overviews() {
        return overviews;
    }
}
