package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.ConsoleConfig;
import io.mykit.delay.controller.search.SearchParts;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.dispatch.BackingOff;
import io.mykit.delay.queue.query.TopicList;
import io.mykit.delay.queue.query.TopicListOrder;
import io.mykit.delay.queue.query.TopicRow;
import io.mykit.delay.queue.query.TopicState;
import io.mykit.delay.queue.retry.PolicyKey;
import io.mykit.delay.queue.search.DueCount;
import io.mykit.delay.queue.search.SearchCursor;
import io.mykit.delay.queue.search.SearchOrder;
import io.mykit.delay.queue.search.SearchPage;
import io.mykit.delay.queue.search.SearchWay;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Finds what was looked for, and remembers the last order. */
final class StubSearch {
    volatile SearchOrder last;
    volatile String lastTopic;
    volatile long rescheduledTo;
    volatile ConsoleConfig.Bodies bodies = ConsoleConfig.Bodies.ALL;
    volatile Optional<String> mask = Optional.empty();

    SearchParts parts() {
        return new SearchParts(
                this::find,
                this::unfinished,
                this::reschedule,
                () -> new SearchIndexes(true, false),
                () -> new DueCount(Optional.empty(), true, OptionalDouble.of(0.5)),
                InstantSource.fixed(Instant.ofEpochMilli(StubBackend.NOW)),
                new ConsoleConfig() {
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
                });
    }

    private SearchPage find(SearchOrder order) {
        last = order;
        FoundMessage found = new FoundMessage("20", "t", "s", "k", MessageStatus.DELAY, 9, 8, 7, 1, 2);
        return new SearchPage(
                StubBackend.NOW,
                SearchWay.WALK,
                List.of(found),
                Map.of("20", 812L),
                20_000,
                OptionalLong.of(3_100_000),
                Optional.of(found),
                false,
                Optional.of(new SearchCursor(SearchWay.WALK, found.cursor())));
    }

    /** The key has the ids of the messages, separated by commas; or it is the word of an error. */
    private List<String> unfinished(String topic, String bizKey) {
        lastTopic = topic;
        return switch (bizKey) {
            case "none" -> List.of();
            case "many" -> throw new DelayException(ErrorCode.TOO_MANY, "more than 1000");
            default -> List.of(bizKey.split(","));
        };
    }

    private Optional<Long> reschedule(String id, long dueTimeMs) {
        rescheduledTo = dueTimeMs;
        return switch (id) {
            case "unknown" -> Optional.empty();
            case "STORE_UNAVAILABLE" -> throw new DelayException(ErrorCode.STORE_UNAVAILABLE, "no store");
            case "finished" -> throw new DelayException(ErrorCode.ALREADY_FINISHED, "message finished has ended");
            default -> Optional.of(dueTimeMs);
        };
    }

    static TopicList topics(TopicListOrder order) {
        BackingOff.Topic backsOff = new BackingOff.Topic("t", 5, 4, "no route");
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

    static TopicState state(String topic) {
        return new TopicState(!topic.equals("standby"), differs(topic), Optional.empty());
    }

    private static Optional<DifferingTopics.Difference> differs(String topic) {
        return Optional.of(new DifferingTopics.Difference(topic, "b:6355", "pull", "rocketmq"))
                .filter(difference -> topic.equals("differs"));
    }

    static List<PolicyKey> policy(String topic, String channel) {
        return List.of(new PolicyKey("maxAttempts", 16, "delivery.max-attempts"));
    }
}
