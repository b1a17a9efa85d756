package io.mykit.delay.queue.memory;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.FlowLog;
import io.mykit.delay.queue.store.AuditStore;
import io.mykit.delay.queue.store.DeadCursor;
import io.mykit.delay.queue.store.DeadLetter;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.queue.store.DeadTopic;
import io.mykit.delay.queue.store.EndedRow;
import io.mykit.delay.queue.store.InsertResult;
import io.mykit.delay.queue.store.MessagePage;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.MoveResult;
import io.mykit.delay.queue.store.NewMessage;
import io.mykit.delay.queue.store.QueueIdentity;
import io.mykit.delay.queue.store.Rescheduling;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.SearchIndexes;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.TokenStore;
import io.mykit.delay.queue.store.TopicStore;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * {@link MessageStore} in memory, for tests. It can be away ({@link #goAway}), lose the answer of a commit
 * ({@link #loseNextAnswer}), and run a test's code before each transaction ({@link #before}). Thread-safe: transactions take
 * turns.
 */
public final class MemoryMessageStore implements MessageStore {
    /** The length of the columns. */
    private static final int MAX_ID = 193;

    private final MemoryTables tables;
    private final MemoryTurns turns;
    private final MemoryFlow flow;
    private final InstantSource clock;
    private volatile SearchIndexes indexes = SearchIndexes.NONE;
    private volatile boolean estimates;

    /** An empty store of {@code node-1} that logs every move. */
    public MemoryMessageStore(InstantSource clock) {
        this(new MemoryTables(), FlowLog.FULL, clock);
    }

    private MemoryMessageStore(MemoryTables tables, FlowLog level, InstantSource clock) {
        this.tables = tables;
        this.turns = new MemoryTurns(tables);
        this.flow = new MemoryFlow(tables, level, "node-1");
        this.clock = clock;
    }

    // ---- faults and views for tests ----

    /** Another store over the same tables, which logs as much as this level wants. */
    public MemoryMessageStore logging(FlowLog level) {
        return new MemoryMessageStore(tables, level, clock);
    }

    /** Is run before each transaction, on its thread and while others may begin: it may wait, count, or throw. */
    public void before(Runnable hook) {
        turns.before(hook);
    }

    /** Until {@link #comeBack} each call fails, and changes nothing. */
    public void goAway() {
        turns.goAway();
    }

    public void comeBack() {
        turns.comeBack();
    }

    /** The next change is made, but its caller learns only that it is in doubt. */
    public void loseNextAnswer() {
        turns.loseNextAnswer();
    }

    public MessageStatus status(String id) {
        return turns.inTurn(() -> tables.rows.get(id).status());
    }

    public int rows() {
        return turns.inTurn(tables.rows::size);
    }

    public int moves() {
        return turns.inTurn(
                () -> tables.log.values().stream().mapToInt(List::size).sum());
    }

    /** The queues that have a row among the epochs. */
    public Set<String> queues() {
        return turns.inTurn(() -> Set.copyOf(tables.epochs.keySet()));
    }

    public void forgetQueues() {
        turns.inTurn(() -> {
            tables.epochs.clear();
            return null;
        });
    }

    /** From now on no row tells when it was inserted, as those of older releases. */
    public void forgetInsertions() {
        turns.inTurn(() -> {
            tables.inserted.clear();
            return null;
        });
    }

    // ---- MessageStore ----

    @Override
    public List<InsertResult> insert(List<NewMessage> batch) {
        return turns.write(() -> {
            // A row that does not fit into its columns fails the whole batch, as in a database.
            if (batch.stream().anyMatch(item -> item.message().id().length() > MAX_ID)) {
                throw new DelayException(ErrorCode.INTERNAL, "an id is too long for its column");
            }
            List<InsertResult> results = new ArrayList<>(batch.size());
            batch.forEach(item -> results.add(insert(item)));
            return results;
        });
    }

    private InsertResult insert(NewMessage item) {
        StoredMessage existing = tables.rows.get(item.message().id());
        if (existing == null) {
            tables.insert(item, clock.millis());
            flow.begin(item, clock.millis());
            return InsertResult.INSERTED;
        }
        return item.message().sameContent(existing.message())
                ? new InsertResult(InsertResult.Kind.SAME, existing)
                : new InsertResult(InsertResult.Kind.CONFLICT, existing.withBody(""));
    }

    @Override
    public Optional<StoredMessage> find(String id) {
        return turns.read(() -> tables.rows(List.of(id)).findFirst());
    }

    @Override
    public void find(Collection<String> ids, long maxBodies, Consumer<List<StoredMessage>> part) {
        List<StoredMessage> left = turns.read(() -> tables.rows(ids).toList());
        while (!left.isEmpty()) {
            int fitting = fitting(left, maxBodies);
            part.accept(left.subList(0, fitting));
            left = left.subList(fitting, left.size());
        }
    }

    @Override
    public List<RowState> states(Collection<String> ids) {
        return turns.read(() -> tables.rows(ids).map(tables::state).toList());
    }

    @Override
    public List<StatusFlow> flow(String id) {
        return turns.read(() -> List.copyOf(tables.log.getOrDefault(id, List.of())));
    }

    @Override
    public Optional<MessageResult> result(String id) {
        return turns.read(() -> Optional.ofNullable(tables.results.get(id)));
    }

    @Override
    public MoveResult move(List<Transition> transitions, Map<String, NewMessage> further) {
        return turns.write(() -> {
            Set<String> lost = new HashSet<>();
            for (Transition transition : transitions) {
                if (tables.fits(transition)) {
                    DelayMessage message = tables.rows.get(transition.id()).message();
                    long retryMs = transition.retryMs();
                    put(retryMs == 0 ? message : message.retriedAt(retryMs), transition);
                } else {
                    lost.add(transition.id());
                }
            }
            List<NewMessage> inserted = new ArrayList<>();
            further.forEach((id, item) -> {
                if (!lost.contains(id)
                        && !tables.rows.containsKey(item.message().id())) {
                    insert(item);
                    inserted.add(item);
                }
            });
            return new MoveResult(lost, inserted);
        });
    }

    @Override
    public boolean rewrite(DelayMessage message, Transition transition) {
        if (!message.id().equals(transition.id()) || message.version() != transition.version() + 1) {
            throw new IllegalArgumentException(message + " does not follow version " + transition.version());
        }
        return turns.write(() -> {
            boolean fits = tables.fits(transition)
                    && tables.rows.get(message.id()).message().topic().equals(message.topic());
            if (fits) {
                put(message, transition);
                tables.cutLog(message);
            }
            return fits;
        });
    }

    private void put(DelayMessage message, Transition transition) {
        tables.put(message, transition, clock.millis());
        flow.moved(transition);
    }

    @Override
    public MessagePage page(MessageStatus status, RowCursor after, long dueBeforeMs, int limit, long maxBodies) {
        List<StoredMessage> rows =
                turns.read(() -> tables.page(status, after, dueBeforeMs, limit).toList());
        int fitting = fitting(rows, maxBodies);
        return new MessagePage(rows.subList(0, fitting), fitting == rows.size() && fitting < limit);
    }

    /** How many of the rows, one at least if there are any, have bodies that are together as long as they may be. */
    private static int fitting(List<StoredMessage> rows, long maxBodies) {
        long bodies = 0;
        for (int i = 0; i < rows.size(); i++) {
            bodies += rows.get(i).message().characters();
            if (bodies > maxBodies && i > 0) {
                return i;
            }
        }
        return rows.size();
    }

    @Override
    public List<RowState> pageStates(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return turns.read(() -> tables.page(status, after, dueBeforeMs, limit)
                .map(tables::state)
                .toList());
    }

    @Override
    public long count(MessageStatus status, long dueBeforeMs, int most) {
        return turns.read(() -> tables.rows.values().stream()
                .filter(row -> row.status() == status && row.message().dueTimeMs() < dueBeforeMs)
                .limit(most)
                .count());
    }

    @Override
    public List<EndedRow> pageEnded(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return pageStates(status, after, dueBeforeMs, limit).stream()
                .map(row -> new EndedRow(row.id(), row.dueTimeMs(), row.updateTimeMs()))
                .toList();
    }

    @Override
    public int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids) {
        if (status.isUnfinished()) {
            throw new IllegalArgumentException("unfinished messages are not removed: status " + status);
        }
        return turns.write(() -> {
            List<String> ended = tables.rows(ids)
                    .filter(row -> row.status() == status && row.updateTimeMs() < changedBeforeMs)
                    .map(row -> row.message().id())
                    .toList();
            ended.forEach(tables::remove);
            return ended.size();
        });
    }

    @Override
    public List<DeadTopic> deadTopics(String prefix, String after, int limit) {
        return turns.read(() -> tables.dead.topics(prefix, after, limit));
    }

    @Override
    public List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit) {
        return turns.read(
                () -> tables.dead.page(topic, query, after).limit(limit).toList());
    }

    @Override
    public Optional<DeadLetter> deadLetter(String id) {
        return turns.read(() -> tables.dead.find(id));
    }

    @Override
    public long countDead(String topic, DeadQuery query) {
        return turns.read(() -> tables.dead.page(topic, query, DeadCursor.START).count());
    }

    @Override
    public long countDead() {
        return turns.read(() -> (long) tables.dead.size());
    }

    @Override
    public long countDead(int most) {
        return Math.min(most, countDead());
    }

    @Override
    public Set<String> reschedule(List<Rescheduling> changes) {
        return turns.write(() -> {
            Set<String> lost = new HashSet<>();
            for (Rescheduling change : changes) {
                if (tables.fits(change.transition())) {
                    put(change.message(), change.transition());
                } else {
                    lost.add(change.message().id());
                }
            }
            return lost;
        });
    }

    @Override
    public TopicStore topics() {
        return new MemoryTopics(turns, tables);
    }

    @Override
    public AuditStore audit() {
        return new MemoryAudit(turns, tables.audit);
    }

    @Override
    public TokenStore tokens() {
        return new MemoryTokens(turns, tables);
    }

    @Override
    public SearchStore search() {
        return new MemorySearch(
                () -> turns.read(() -> List.copyOf(tables.rows.values())),
                this::states,
                topic -> deadLetters(topic, DeadQuery.ALL, DeadCursor.START, Integer.MAX_VALUE),
                () -> indexes,
                () -> estimates);
    }

    /** Whether the store estimates numbers of rows from now on. */
    public void estimates(boolean does) {
        estimates = does;
    }

    /** From now on the store has these optional indexes. */
    public void make(SearchIndexes made) {
        indexes = made;
    }

    @Override
    public void claim(QueueIdentity queue) {
        Set<String> owners = turns.write(() -> {
            if (tables.epochs.isEmpty()) {
                tables.epochs.put(queue.row(), 0L);
            }
            return Set.copyOf(tables.epochs.keySet());
        });
        if (!owners.equals(Set.of(queue.row()))) {
            throw new ConfigException("the store belongs to " + owners + " and not to " + queue.row());
        }
    }

    @Override
    public long nextEpoch(String name, long atLeast) {
        return turns.write(() -> tables.epochs.merge(name, atLeast, (last, least) -> Math.max(last + 1, least)));
    }

    @Override
    public int writers() {
        return 1;
    }

    @Override
    public String name() {
        return "store";
    }

    @Override
    public Health check() {
        return turns.isAway() ? Health.down("away") : Health.up(Map.of());
    }

    @Override
    public void close() {}
}
