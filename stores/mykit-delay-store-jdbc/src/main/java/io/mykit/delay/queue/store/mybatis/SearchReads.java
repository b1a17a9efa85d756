package io.mykit.delay.queue.store.mybatis;

import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.DeadNote;
import io.mykit.delay.queue.store.DueWindow;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.TopicPart;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.ibatis.exceptions.PersistenceException;

/** Looks for messages. Thread-safe. */
final class SearchReads implements SearchStore {
    private static final String TABLE = "mykit_delay_queue_job";
    /** The names and columns of sql/optional/search.sql. */
    private static final String BY_TOPIC = "idx_mykit_delay_job_topic_due";

    private static final String BY_BIZ_KEY = "idx_mykit_delay_job_bizkey";
    private static final List<String> TOPIC_COLUMNS = List.of("topic", "due_time", "id");
    private static final List<String> BIZ_KEY_COLUMNS = List.of("bizkey", "id");

    /** MySQL ER_QUERY_TIMEOUT and MariaDB ER_STATEMENT_TIMEOUT. */
    private static final Set<Integer> TIMED_OUT = Set.of(3024, 1969);

    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    private final Transactions transactions;

    SearchReads(Transactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public SearchIndexes indexes() {
        Map<String, List<String>> present = transactions.read(session -> session.indexes(TABLE));
        return new SearchIndexes(
                TOPIC_COLUMNS.equals(present.get(BY_TOPIC)), BIZ_KEY_COLUMNS.equals(present.get(BY_BIZ_KEY)));
    }

    @Override
    public List<FoundMessage> byId(String prefix, String after, int limit) {
        return found(search -> search.byId(prefix, Prefix.end(prefix), after, limit));
    }

    @Override
    public List<FoundMessage> byDue(MessageStatus status, DueWindow window, RowCursor after, int limit) {
        return found(search -> search.byDue(query(status, window, after, limit)));
    }

    @Override
    public List<FoundMessage> byTopic(String topic, DueWindow window, RowCursor after, int limit) {
        RowCursor begin = window.begin(after);
        return found(search -> search.byTopic(topic, begin.dueTimeMs(), begin.id(), window.toMs(), limit));
    }

    /** The rest of a topic is a range of the index, and so are the topics behind it; together they are none. */
    @Override
    public List<FoundMessage> byTopicPrefix(String prefix, String afterTopic, RowCursor after, int limit) {
        List<FoundMessage> rows = new ArrayList<>();
        if (!afterTopic.isEmpty()) {
            rows.addAll(byTopic(afterTopic, DueWindow.ALL, after, limit));
        }
        if (rows.size() < limit) {
            int rest = limit - rows.size();
            rows.addAll(found(search -> search.byTopics(prefix, Prefix.end(prefix), afterTopic, rest)));
        }
        return rows;
    }

    @Override
    public List<FoundMessage> byBizKey(String bizKey, String after, int limit) {
        return found(search -> search.byBizKey(bizKey, after, limit));
    }

    @Override
    public Optional<List<RowCursor>> unfinishedOf(String topic, String bizKey, boolean byKey, int rows, int limit) {
        List<Integer> unfinished = codes(MessageStatus.UNFINISHED);
        Integer more =
                read(search -> byKey ? search.moreOfBizKey(bizKey, rows) : search.moreInStatuses(unfinished, rows));
        return more != null
                ? Optional.empty()
                : Optional.of(read(search -> byKey
                        ? search.unfinishedByBizKey(topic, bizKey, unfinished, limit)
                        : search.unfinishedByStatus(topic, bizKey, unfinished, limit)));
    }

    @Override
    public Map<String, FoundDetails> details(Collection<String> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return read(search -> search.details(new LinkedHashSet<>(ids))).stream()
                .collect(toMap(DetailsRow::id, DetailsRow::toDetails));
    }

    @Override
    public OptionalLong estimate(Set<MessageStatus> statuses, DueWindow window) {
        List<Integer> codes = codes(statuses);
        return read(search -> search.estimate(codes, window.fromMs(), window.toMs())).stream()
                .filter(Objects::nonNull)
                // MariaDB gives the number as a text.
                .map(step -> String.valueOf(step.get("rows")))
                .filter(rows -> NUMBER.matcher(rows).matches())
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    private static List<Integer> codes(Collection<MessageStatus> statuses) {
        return statuses.stream().map(MessageStatus::code).sorted().toList();
    }

    @Override
    public List<RowCursor> keys(MessageStatus status, RowCursor after, int limit) {
        return read(search -> search.keys(query(status, DueWindow.ALL, after, limit)));
    }

    @Override
    public TopicPart<RowCursor> ofTopic(
            String topic, MessageStatus status, RowCursor after, long dueBeforeMs, int looked) {
        // Two reads: a row that comes between them is read as well, and one that goes is missing.
        PageSql.Query page = PageSql.Query.of(status, after, dueBeforeMs, looked - 1);
        RowCursor last = read(search -> search.lastKey(page));
        // No id is empty, so this key is before all rows that are due at its time.
        RowCursor end = last == null ? new RowCursor(dueBeforeMs, "") : last;
        List<RowState> rows = states(search -> search.ofTopicInStatus(topic, page, end));
        return new TopicPart<>(rows, last == null ? rows.size() : looked, last);
    }

    @Override
    public TopicPart<String> ofTopic(String topic, String after, long dueBeforeMs, int looked) {
        List<Integer> unfinished = codes(MessageStatus.UNFINISHED);
        String last = read(search -> search.lastId(after, looked - 1));
        List<RowState> rows = states(search -> search.unfinishedOfTopic(topic, unfinished, after, last, dueBeforeMs));
        return new TopicPart<>(rows, last == null ? rows.size() : looked, last);
    }

    @Override
    public List<RowState> ofTopic(String topic, RowCursor after, int limit) {
        return states(search -> search.ofTopic(topic, after.dueTimeMs(), after.id(), limit));
    }

    private List<RowState> states(Function<SearchMapper, List<StateRow>> rows) {
        return read(rows).stream().map(StateRow::toState).toList();
    }

    @Override
    public List<DeadNote> newestDead(String topic, int limit) {
        return read(search -> search.newestDead(topic, limit));
    }

    private List<FoundMessage> found(Function<SearchMapper, List<FoundRow>> page) {
        return read(page).stream().map(FoundRow::toFound).toList();
    }

    private static PageSql.Query query(MessageStatus status, DueWindow window, RowCursor after, int limit) {
        return PageSql.Query.of(status, window.begin(after), window.toMs(), limit);
    }

    private <T> T read(Function<SearchMapper, T> query) {
        return transactions.read(session -> {
            try {
                return query.apply(session.search());
            } catch (PersistenceException e) {
                throw timedOut(e) ? slow(e) : e;
            }
        });
    }

    /** The database is there, so this is no outage, and no other class must take it for one. */
    private static StoreUnavailableException slow(PersistenceException e) {
        return new StoreUnavailableException("the database needed more than a second for one step of this search", e);
    }

    private static boolean timedOut(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof SQLException sql && TIMED_OUT.contains(sql.getErrorCode())) {
                return true;
            }
        }
        return false;
    }
}
