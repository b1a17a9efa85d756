package io.mykit.delay.queue.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadNote;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.TopicPart;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The searches of a {@link MemoryMessageStore}. Thread-safe, as the store. */
final class MemorySearch implements SearchStore {
    private static final Comparator<String> TEXTS =
            (one, other) -> Arrays.compareUnsigned(one.getBytes(UTF_8), other.getBytes(UTF_8));
    private static final Comparator<RowCursor> DUE =
            Comparator.comparingLong(RowCursor::dueTimeMs).thenComparing(RowCursor::id, TEXTS);

    private final Supplier<List<StoredMessage>> rows;
    private final Function<String, List<DeadLetter>> dead;
    private final Supplier<SearchIndexes> indexes;
    private final Function<List<String>, List<RowState>> states;
    private final BooleanSupplier estimates;

    MemorySearch(
            Supplier<List<StoredMessage>> rows,
            Function<List<String>, List<RowState>> states,
            Function<String, List<DeadLetter>> dead,
            Supplier<SearchIndexes> indexes,
            BooleanSupplier estimates) {
        this.rows = rows;
        this.states = states;
        this.estimates = estimates;
        this.dead = dead;
        this.indexes = indexes;
    }

    @Override
    public SearchIndexes indexes() {
        return indexes.get();
    }

    @Override
    public List<FoundMessage> byId(String prefix, String after, int limit) {
        return byIds(row -> row.id().startsWith(prefix), after, limit);
    }

    @Override
    public List<FoundMessage> byDue(MessageStatus status, DueWindow window, RowCursor after, int limit) {
        return inDueOrder(row -> row.status() == status, window, after, limit).toList();
    }

    @Override
    public List<FoundMessage> byTopic(String topic, DueWindow window, RowCursor after, int limit) {
        return inDueOrder(row -> row.topic().equals(topic), window, after, limit)
                .toList();
    }

    @Override
    public List<FoundMessage> byTopicPrefix(String prefix, String afterTopic, RowCursor after, int limit) {
        return found().filter(row -> row.topic().startsWith(prefix))
                .filter(row -> TEXTS.compare(row.topic(), afterTopic) > 0
                        || (row.topic().equals(afterTopic) && DUE.compare(row.cursor(), after) > 0))
                .sorted(Comparator.comparing(FoundMessage::topic, TEXTS).thenComparing(FoundMessage::cursor, DUE))
                .limit(limit)
                .toList();
    }

    @Override
    public List<FoundMessage> byBizKey(String bizKey, String after, int limit) {
        return byIds(row -> row.bizKey().equals(bizKey), after, limit);
    }

    @Override
    public Optional<List<RowCursor>> unfinishedOf(String topic, String bizKey, boolean byKey, int rows, int limit) {
        List<FoundMessage> looked =
                byIds(row -> byKey ? row.bizKey().equals(bizKey) : row.status().isUnfinished(), "", rows + 1);
        return looked.size() > rows
                ? Optional.empty()
                : Optional.of(looked.stream()
                        .filter(row -> row.status().isUnfinished())
                        .filter(row -> row.topic().equals(topic) && row.bizKey().equals(bizKey))
                        .map(FoundMessage::cursor)
                        .limit(limit)
                        .toList());
    }

    @Override
    public Map<String, FoundDetails> details(Collection<String> ids) {
        return rows.get().stream()
                .map(StoredMessage::message)
                .filter(message -> ids.contains(message.id()))
                .collect(toMap(
                        DelayMessage::id,
                        message -> new FoundDetails(
                                message.bodyBytes().length, message.extras().requestId())));
    }

    @Override
    public OptionalLong estimate(Set<MessageStatus> statuses, DueWindow window) {
        return estimates.getAsBoolean()
                ? OptionalLong.of(rows.get().stream()
                        .filter(row -> statuses.contains(row.status()))
                        .filter(row -> window.contains(row.message().dueTimeMs()))
                        .count())
                : OptionalLong.empty();
    }

    @Override
    public List<RowCursor> keys(MessageStatus status, RowCursor after, int limit) {
        return inDueOrder(row -> row.status() == status, DueWindow.ALL, after, limit)
                .map(FoundMessage::cursor)
                .toList();
    }

    @Override
    public TopicPart<RowCursor> ofTopic(
            String topic, MessageStatus status, RowCursor after, long dueBeforeMs, int looked) {
        DueWindow window = new DueWindow(Long.MIN_VALUE, dueBeforeMs);
        List<FoundMessage> part =
                inDueOrder(row -> row.status() == status, window, after, looked).toList();
        List<RowState> rows =
                states(part.stream().filter(row -> row.topic().equals(topic)).toList());
        return part.size() < looked
                ? new TopicPart<>(rows, rows.size(), null)
                : new TopicPart<>(rows, looked, part.get(looked - 1).cursor());
    }

    @Override
    public TopicPart<String> ofTopic(String topic, String after, long dueBeforeMs, int looked) {
        List<FoundMessage> part = byIds(row -> true, after, looked);
        List<RowState> rows = states(part.stream()
                .filter(row ->
                        row.topic().equals(topic) && row.status().isUnfinished() && row.dueTimeMs() < dueBeforeMs)
                .toList());
        return part.size() < looked
                ? new TopicPart<>(rows, rows.size(), null)
                : new TopicPart<>(rows, looked, part.get(looked - 1).id());
    }

    @Override
    public List<RowState> ofTopic(String topic, RowCursor after, int limit) {
        return states(byTopic(topic, DueWindow.ALL, after, limit));
    }

    private List<RowState> states(List<FoundMessage> found) {
        return states.apply(found.stream().map(FoundMessage::id).toList());
    }

    @Override
    public List<DeadNote> newestDead(String topic, int limit) {
        return dead.apply(topic).stream()
                .sorted(Comparator.comparingLong(DeadLetter::deadTimeMs)
                        .thenComparing(DeadLetter::id, TEXTS)
                        .reversed())
                .limit(limit)
                .map(letter -> new DeadNote(letter.reason(), letter.detail(), letter.deadTimeMs()))
                .toList();
    }

    private List<FoundMessage> byIds(Predicate<FoundMessage> choice, String after, int limit) {
        return found().filter(choice)
                .filter(row -> TEXTS.compare(row.id(), after) > 0)
                .sorted(Comparator.comparing(FoundMessage::id, TEXTS))
                .limit(limit)
                .toList();
    }

    private Stream<FoundMessage> inDueOrder(
            Predicate<FoundMessage> choice, DueWindow window, RowCursor after, int limit) {
        return found().filter(choice)
                .filter(row -> window.contains(row.dueTimeMs()) && DUE.compare(row.cursor(), after) > 0)
                .sorted(Comparator.comparing(FoundMessage::cursor, DUE))
                .limit(limit);
    }

    private Stream<FoundMessage> found() {
        return rows.get().stream()
                .map(row -> new FoundMessage(
                        row.message().id(),
                        row.message().topic(),
                        row.message().subtopic(),
                        row.message().bizKey(),
                        row.status(),
                        row.message().dueTimeMs(),
                        row.message().firstDueMs(),
                        row.message().createTimeMs(),
                        row.attempts(),
                        row.message().priority()));
    }
}
