package io.mykit.delay.queue.query;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.bucket.TopicCounts;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import io.mykit.delay.queue.store.DeadLetterStore;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.TopicPause;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * All topics with their numbers, for people who look at the queue. A request reads the index if the last numbers are ten seconds old;
 * all other requests get the same numbers. So the list costs nothing while no person looks at it, and hardly more for a hundred of
 * them. Each node reads the index itself. Thread-safe; blocks.
 */
public final class TopicBoard {
    /** The maximum of topics in the list. */
    public static final int MAX_TOPICS = 50_000;

    private static final long RENEW_NANOS = Duration.ofSeconds(10).toNanos();
    /** The database counts the index entries of all dead letters. */
    private static final long RENEW_DEAD_NANOS = Duration.ofMinutes(1).toNanos();

    private static final int DEAD_PAGE = 1000;

    private final HoldIndex index;
    private final DeadLetterStore store;
    private final PausedTopics paused;
    private final TopicDifferences differing;
    private final UnaryOperator<String> channels;
    private final FailingTopics backingOff;
    private final BooleanSupplier leads;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private Map<String, Long> dead = Map.of();
    private long deadNanos;
    private boolean deadKnown;
    private volatile Board last;

    /**
     * @param channels gives the name of a topic's channel
     * @param leads whether this node leads
     */
    public TopicBoard(
            HoldIndex index,
            DeadLetterStore store,
            PausedTopics paused,
            TopicDifferences differing,
            UnaryOperator<String> channels,
            FailingTopics backingOff,
            BooleanSupplier leads,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.index = index;
        this.store = store;
        this.paused = paused;
        this.differing = differing;
        this.channels = channels;
        this.backingOff = backingOff;
        this.leads = leads;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * A page of the list.
     *
     * @throws io.mykit.delay.common.error.DelayException INDEX_UNAVAILABLE, STORE_UNAVAILABLE
     */
    public TopicList list(TopicListOrder order) {
        Board board = board();
        List<TopicRow> named = board.names().stream()
                .filter(name -> name.startsWith(order.prefix()))
                .map(name -> row(name, board))
                .toList();
        List<TopicRow> troubled =
                named.stream().filter(row -> row.trouble().isPresent()).toList();
        List<TopicRow> rows = (order.trouble() ? troubled : named)
                .stream().sorted(order.sort().order()).toList();
        int from = order.sort() == TopicSort.NAME ? afterName(rows, order.after()) : afterTopic(rows, order.after());
        int to = Math.min(rows.size(), from + order.limit());
        return new TopicList(
                board.asOfMs(),
                rows.size(),
                troubled.size(),
                board.complete(),
                leads.getAsBoolean(),
                rows.subList(from, to),
                to == rows.size());
    }

    /** Why this topic cannot be delivered, and whether this node knows it. */
    public TopicState state(String topic) {
        return new TopicState(leads.getAsBoolean(), differs(topic), backingOff.find(topic, clock.millis()));
    }

    private Optional<TopicDifferences.Difference> differs(String topic) {
        return leads.getAsBoolean() ? differing.find(topic) : Optional.empty();
    }

    private static int afterName(List<TopicRow> rows, String after) {
        return (int)
                rows.stream().filter(row -> row.topic().compareTo(after) <= 0).count();
    }

    private static int afterTopic(List<TopicRow> rows, String after) {
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).topic().equals(after)) {
                return i + 1;
            }
        }
        return 0;
    }

    private TopicRow row(String name, Board board) {
        TopicCount count = board.counts().get(name);
        if (count == null) {
            count = new TopicCount(name, 0, 0, 0, 0, OptionalLong.empty());
        }
        long overdueMs = count.oldestMs().isPresent()
                ? Math.max(0, board.asOfMs() - count.oldestMs().getAsLong())
                : 0;
        return new TopicRow(
                channels.apply(name),
                count,
                board.dead().getOrDefault(name, 0L),
                overdueMs,
                paused.find(name),
                differs(name),
                backingOff.find(name, clock.millis()));
    }

    private Board board() {
        Board known = last;
        if (known != null && nanoTime.getAsLong() - known.atNanos() < RENEW_NANOS) {
            return known;
        }
        return renew();
    }

    /** One request reads, and those that come meanwhile wait for the same numbers. */
    private synchronized Board renew() {
        if (last != null && nanoTime.getAsLong() - last.atNanos() < RENEW_NANOS) {
            return last;
        }
        long asOfMs = clock.millis();
        TopicCounts counts = index.counts(MAX_TOPICS);
        renewDead();
        Map<String, TopicCount> byName = counts.topics().stream().collect(toMap(TopicCount::topic, identity()));
        TreeSet<String> names = new TreeSet<>(byName.keySet());
        Stream.concat(dead.keySet().stream(), paused.all().stream().map(TopicPause::topic))
                .filter(name -> names.size() < MAX_TOPICS)
                .forEach(names::add);
        last = new Board(
                asOfMs,
                nanoTime.getAsLong(),
                List.copyOf(names),
                byName,
                dead,
                counts.complete() && names.size() < MAX_TOPICS);
        return last;
    }

    private void renewDead() {
        if (deadKnown && nanoTime.getAsLong() - deadNanos < RENEW_DEAD_NANOS) {
            return;
        }
        Map<String, Long> counted = new HashMap<>();
        List<DeadTopic> page;
        String after = "";
        do {
            page = store.deadTopics("", after, DEAD_PAGE);
            page.forEach(topic -> counted.put(topic.topic(), topic.count()));
            after = page.isEmpty() ? after : page.get(page.size() - 1).topic();
        } while (page.size() == DEAD_PAGE && counted.size() < MAX_TOPICS);
        dead = counted;
        deadNanos = nanoTime.getAsLong();
        deadKnown = true;
    }

    /** The numbers of one look. Immutable. */
    private record Board(
            long asOfMs,
            long atNanos,
            List<String> names,
            Map<String, TopicCount> counts,
            Map<String, Long> dead,
            boolean complete) {}
}
