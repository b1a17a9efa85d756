package io.mykit.delay.queue.store.mybatis;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.Health;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageResult;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.message.StatusFlow;
import io.mykit.delay.config.DatasourceConfig;
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
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import io.mykit.delay.queue.store.TokenStore;
import io.mykit.delay.queue.store.TopicStore;
import io.mykit.delay.queue.store.Transition;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A {@link MessageStore} in MySQL 8, MariaDB 10.6+ or SQLite. All three use the same SQL, except for the parts in
 * {@link Dialect}. Thread-safe.
 */
public final class MyBatisMessageStore implements MessageStore {
    private final String address;
    private final ConnectionPools pools;
    private final Transactions transactions;
    private final BoundedReads reads;
    private final Insertion insertion;
    private final Moves moves;
    private final Rewriting rewriting;
    private final Removal removal;
    private final DeadReads dead;
    private final Reschedules reschedules;
    private final TopicStore topics;
    private final AuditStore audit;
    private final TokenStore tokens;
    private final SearchStore search;
    private final StorePing ping;
    private final InstantSource clock;

    private MyBatisMessageStore(
            String address,
            ConnectionPools pools,
            Transactions tx,
            StorePing ping,
            FlowRows flow,
            InstantSource clock) {
        this.address = address;
        this.pools = pools;
        this.transactions = tx;
        this.reads = new BoundedReads(tx);
        this.insertion = new Insertion(tx, reads, flow, clock);
        this.moves = new Moves(tx, flow, clock);
        this.rewriting = new Rewriting(tx, flow, clock);
        this.removal = new Removal(tx);
        this.dead = new DeadReads(tx);
        this.reschedules = new Reschedules(tx, flow, clock);
        this.topics = new TopicRows(tx, clock);
        this.audit = new AuditRows(tx);
        this.tokens = new TokenRows(tx);
        this.search = new SearchReads(tx);
        this.ping = ping;
        this.clock = clock;
    }

    /**
     * Connects, creates or checks the tables as configured, and opens the pools.
     *
     * @param jdbcUrl the address; {@link DatasourceConfig#url()} is not used, because it may be "embedded"
     * @param host the name of this node in the flow log
     * @throws StoreUnavailableException if the server cannot be reached
     * @throws IllegalStateException if the tables do not have the expected form; the message says how to correct that
     * @throws IllegalArgumentException if the URL has a parameter that cannot work
     */
    public static MyBatisMessageStore open(
            DatasourceConfig config,
            String jdbcUrl,
            FlowLog flowLog,
            String host,
            InstantSource clock,
            MeterRegistry meters) {
        JdbcUrl url = JdbcUrl.complete(jdbcUrl, config.timeout());
        Schema.prepare(config, jdbcUrl);
        ConnectionPools pools = new ConnectionPools(url, config);
        StoreSession.Statements statements = new StoreSession.Statements(
                Mappers.sessions(pools.forTransactions(), url.dialect()), new StoreMeters(meters, pools));
        RefusedWrites refused = new RefusedWrites();
        Transactions tx = new Transactions(pools, statements, url.dialect(), config.timeout(), refused);
        StorePing ping = new StorePing(pools, new WriteProbe(url.dialect(), refused));
        return new MyBatisMessageStore(
                url.toString(), pools, tx, ping, new FlowRows(flowLog, host, new Authors(tx, host)), clock);
    }

    @Override
    public void claim(QueueIdentity queue) {
        new Ownership(transactions, clock, address).claim(queue);
    }

    @Override
    public List<InsertResult> insert(List<NewMessage> batch) {
        return insertion.insert(batch);
    }

    @Override
    public Optional<StoredMessage> find(String id) {
        return transactions.read(session -> session.find(List.of(id))).stream().findFirst();
    }

    @Override
    public void find(Collection<String> ids, long maxBodies, Consumer<List<StoredMessage>> part) {
        reads.find(BoundedReads.distinct(ids), maxBodies, part);
    }

    @Override
    public List<RowState> states(Collection<String> ids) {
        return ids.isEmpty() ? List.of() : transactions.read(session -> session.states(BoundedReads.distinct(ids)));
    }

    @Override
    public List<StatusFlow> flow(String id) {
        return transactions.read(session -> Timeline.read(session, id));
    }

    @Override
    public Optional<MessageResult> result(String id) {
        return reads.result(id);
    }

    @Override
    public MoveResult move(List<Transition> transitions, Map<String, NewMessage> further) {
        return moves.apply(transitions, further);
    }

    @Override
    public boolean rewrite(DelayMessage message, Transition transition) {
        return rewriting.apply(message, transition);
    }

    @Override
    public MessagePage page(MessageStatus status, RowCursor after, long dueBeforeMs, int limit, long maxBodies) {
        return reads.page(PageSql.Query.of(status, after, dueBeforeMs, limit), maxBodies);
    }

    @Override
    public List<RowState> pageStates(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return transactions.read(session -> session.pageStates(PageSql.Query.of(status, after, dueBeforeMs, limit)));
    }

    @Override
    public long count(MessageStatus status, long dueBeforeMs, int most) {
        return reads.count(status.code(), dueBeforeMs, most);
    }

    @Override
    public List<EndedRow> pageEnded(MessageStatus status, RowCursor after, long dueBeforeMs, int limit) {
        return transactions.read(session -> session.pageEnded(PageSql.Query.of(status, after, dueBeforeMs, limit)));
    }

    @Override
    public int remove(MessageStatus status, long changedBeforeMs, Collection<String> ids) {
        return removal.remove(status, changedBeforeMs, ids);
    }

    @Override
    public List<DeadTopic> deadTopics(String prefix, String after, int limit) {
        return dead.topics(prefix, after, limit);
    }

    @Override
    public List<DeadLetter> deadLetters(String topic, DeadQuery query, DeadCursor after, int limit) {
        return dead.page(topic, query, after, limit);
    }

    @Override
    public Optional<DeadLetter> deadLetter(String id) {
        return dead.find(id);
    }

    @Override
    public long countDead(String topic, DeadQuery query) {
        return dead.count(topic, query);
    }

    @Override
    public long countDead() {
        return dead.count();
    }

    @Override
    public long countDead(int most) {
        return dead.count(most);
    }

    @Override
    public Set<String> reschedule(List<Rescheduling> changes) {
        return reschedules.apply(changes);
    }

    @Override
    public TopicStore topics() {
        return topics;
    }

    @Override
    public AuditStore audit() {
        return audit;
    }

    @Override
    public TokenStore tokens() {
        return tokens;
    }

    @Override
    public SearchStore search() {
        return search;
    }

    @Override
    public long nextEpoch(String name, long atLeast) {
        return new Epochs(transactions, clock).next(name, atLeast);
    }

    @Override
    public int writers() {
        return pools.forTransactions().getMaxActive();
    }

    @Override
    public String name() {
        return "store";
    }

    @Override
    public Health check() {
        return ping.health(address);
    }

    @Override
    public void close() {
        ping.close();
        pools.close();
    }
}
