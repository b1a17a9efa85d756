package io.mykit.delay.access.token;

import io.mykit.delay.access.KnownTokens;
import io.mykit.delay.access.NamespaceLimits;
import io.mykit.delay.access.Principal;
import io.mykit.delay.access.Role;
import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.LoopRunner;
import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.FieldRules;
import io.mykit.delay.queue.store.StoreInDoubtException;
import io.mykit.delay.queue.store.StoredNamespace;
import io.mykit.delay.queue.store.StoredToken;
import io.mykit.delay.queue.store.TokenColumns;
import io.mykit.delay.queue.store.TokenStore;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All tokens of the store, as this node knows them. The store has the truth. Each node reads all of it at its start, every five seconds, and
 * when another node announces a change, so no request waits for the store. While the store is away, the tokens that were read last are
 * accepted for ten minutes more, and other tokens are answered with STORE_UNAVAILABLE, because they may exist.
 *
 * <p>Invariant: a change and a read of the store take turns, so an older read never hides a newer change. Thread-safe.
 */
public final class TokenTable implements KnownTokens, Loop, Service {
    /** The most tokens; they are all in memory, about 500 bytes each. */
    public static final int MAX_TOKENS = 10_000;

    /** The most namespaces; the handlers of each that is used are in memory too, some kilobytes. */
    public static final int MAX_NAMESPACES = 1_000;

    /** Two nodes that make a token or a namespace at once may go beyond the limits, and none of them may be unknown for that. */
    private static final int BEYOND = 100;

    /** How long a token that was read is accepted while the store is away. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(TokenTable.class);
    private static final Duration INTERVAL = Duration.ofSeconds(5);
    private static final Duration OVERDUE = INTERVAL.multipliedBy(3);
    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final Backoff RETRY = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

    private final TokenStore store;
    private final Runnable announce;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final LoopRunner loop = new LoopRunner("tokens", this, RETRY);
    private final ReentrantLock turn = new ReentrantLock();
    /** The days of uses that the store does not know yet, by token id. No more than there are tokens. */
    private final Map<String, String> used = new ConcurrentHashMap<>();

    /** Each request has a day, and few have another one than the request before. */
    private volatile Day today = new Day(Long.MIN_VALUE, "");

    private volatile KnownRows rows = KnownRows.NONE;
    private volatile long readNanos;
    private volatile boolean failing;

    /**
     * @param announce tells the other nodes of a change; it may throw INDEX_UNAVAILABLE
     * @param clock the clock of the cluster
     */
    public TokenTable(TokenStore store, Runnable announce, InstantSource clock) {
        this(store, announce, clock, System::nanoTime);
    }

    TokenTable(TokenStore store, Runnable announce, InstantSource clock, LongSupplier nanoTime) {
        this.store = store;
        this.announce = announce;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * Reads the store, and goes on reading it. A node that does not know the tokens must not open its ports.
     *
     * @throws DelayException STORE_UNAVAILABLE
     */
    @Override
    public void start() {
        Duration unused = runOnce();
        loop.start();
    }

    @Override
    public void close() {
        loop.close();
    }

    /** Another node has changed the tokens. */
    public void changed() {
        loop.wake();
    }

    @Override
    public Duration runOnce() {
        turn.lock();
        try {
            read();
        } finally {
            turn.unlock();
        }
        writeUses();
        return INTERVAL;
    }

    private void read() {
        boolean done = false;
        try {
            rows = KnownRows.of(all(), namespaces());
            readNanos = nanoTime.getAsLong();
            done = true;
        } finally {
            failing = !done;
        }
    }

    /** A use that is not written stays for the next round. */
    private void writeUses() {
        used.forEach((tokenId, day) -> {
            store.used(tokenId, day);
            used.remove(tokenId, day);
        });
    }

    @Override
    public Found find(String token) {
        Optional<KnownRows.Row> found = rows.withHash(TokenText.hash(token));
        if (found.isEmpty() && !TokenText.matches(token)) {
            return new Found(Principal.ANONYMOUS, null);
        }
        Duration age = Duration.ofNanos(nanoTime.getAsLong() - readNanos);
        if (found.isEmpty()) {
            return failing || age.compareTo(OVERDUE) > 0
                    ? refused(ErrorCode.STORE_UNAVAILABLE, "the token cannot be checked while the database is away")
                    : refused(ErrorCode.UNAUTHORIZED, "the token is not known");
        }
        if (age.compareTo(KEPT) > 0) {
            return refused(
                    ErrorCode.STORE_UNAVAILABLE,
                    "the tokens could not be read for more than " + KEPT.toMinutes() + " minutes");
        }
        StoredToken row = found.get().token();
        if (row.disabled()) {
            return refused(ErrorCode.UNAUTHORIZED, "the token is disabled");
        }
        long nowMs = clock.millis();
        if (row.expiresMs() != null && row.expiresMs() <= nowMs) {
            return refused(ErrorCode.UNAUTHORIZED, "the token has expired");
        }
        note(row, nowMs);
        return new Found(found.get().caller(), null);
    }

    private static Found refused(ErrorCode code, String message) {
        return Found.refused(new DelayException(code, message));
    }

    private void note(StoredToken row, long nowMs) {
        long number = Math.floorDiv(nowMs, DAY_MS);
        Day now = today;
        if (now.number() != number) {
            now = new Day(number, LocalDate.ofEpochDay(number).toString());
            today = now;
        }
        String day = now.text();
        if (row.lastUsed() == null || row.lastUsed().compareTo(day) < 0) {
            used.put(row.tokenId(), day);
        }
    }

    @Override
    public boolean any() {
        return !rows.isEmpty();
    }

    @Override
    public boolean anyHas(Role... roles) {
        return rows.anyHas(roles);
    }

    /** All tokens in the order of their ids. Blocks. */
    public List<StoredToken> all() {
        return store.tokens(MAX_TOKENS + BEYOND);
    }

    /**
     * Makes a token and stores it. Blocks.
     *
     * @param by the name of the caller
     * @throws DelayException TOO_MANY, STORE_UNAVAILABLE; OUTCOME_UNKNOWN: a token may have been stored whose text is lost, and another
     *     call makes another one
     */
    public IssuedToken create(NewToken order, String by) {
        IssuedToken issued = order.issue(clock.millis(), by);
        boolean unused = change(() -> add(store, order, issued));
        return issued;
    }

    /**
     * Stores a token that was made for a namespace which exists. Blocks.
     *
     * @return false if another token has this text
     * @throws DelayException TOO_MANY, INVALID_REQUEST without the namespace, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public static boolean add(TokenStore store, NewToken order, IssuedToken issued) {
        if (store.tokens(MAX_TOKENS).size() >= MAX_TOKENS) {
            throw new DelayException(
                    ErrorCode.TOO_MANY, "there are " + MAX_TOKENS + " tokens already; delete those that have expired");
        }
        if (!hasNamespace(store, order)) {
            throw noNamespaceOf(order);
        }
        if (!store.add(issued.row())) {
            return false;
        }
        if (wasDeleted(store, order)) {
            boolean unused = store.remove(issued.row().tokenId());
            throw noNamespaceOf(order);
        }
        return true;
    }

    /** Another call may delete a namespace before it can see its new token. */
    private static boolean wasDeleted(TokenStore store, NewToken order) {
        try {
            return !hasNamespace(store, order);
        } catch (DelayException e) {
            LOG.debug("A token was made, and its namespace could not be looked at again", e);
            return false;
        }
    }

    /**
     * Stores a token whose text was made elsewhere. Blocks. It throws as {@link #create(NewToken, String)}.
     *
     * @param text long enough that it cannot be guessed
     * @param by the name of the caller
     * @return empty if there is a token with this text
     */
    public Optional<IssuedToken> adopt(NewToken order, String text, String by) {
        IssuedToken issued = order.issue(text, clock.millis(), by);
        if (all().stream().anyMatch(row -> is(row, text))) {
            return Optional.empty();
        }
        return change(() -> add(store, order, issued)) ? Optional.of(issued) : Optional.empty();
    }

    /** Whether a text is this token, or its id. Does not block. */
    public boolean is(StoredToken row, String text) {
        return row.hash().equals(TokenText.hash(text)) || row.tokenId().equals(text);
    }

    /**
     * Changes a token. Blocks.
     *
     * @return the token as it is now
     * @throws DelayException NOT_FOUND, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public StoredToken change(String tokenId, TokenChange change) {
        StoredToken before = all().stream()
                .filter(token -> token.tokenId().equals(tokenId))
                .findFirst()
                .orElseThrow(() -> unknown(tokenId));
        TokenColumns columns = change.columns(before, clock.millis());
        return change(() -> store.change(tokenId, columns).orElseThrow(() -> unknown(tokenId)));
    }

    /**
     * Deletes a token. Blocks.
     *
     * @throws DelayException NOT_FOUND, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public void delete(String tokenId) {
        boolean removed = change(() -> store.remove(tokenId));
        if (!removed) {
            throw unknown(tokenId);
        }
    }

    private static boolean hasNamespace(TokenStore store, NewToken order) {
        return order.namespace().equals(Principal.ALL)
                || store.namespaces(MAX_NAMESPACES + BEYOND).stream()
                        .anyMatch(row -> row.name().equals(order.namespace()));
    }

    private static DelayException noNamespaceOf(NewToken order) {
        return FieldRules.invalid("namespace " + order.namespace() + " does not exist; POST /namespaces makes it");
    }

    /** Whether a namespace of this name exists, as far as this node knows. Does not block. */
    public boolean isNamespace(String name) {
        return rows.hasNamespace(name);
    }

    /** The limits of a namespace, as far as this node knows; of one that it does not know, none. Does not block. */
    public NamespaceLimits limits(String namespace) {
        return rows.limits(namespace);
    }

    /** All namespaces in the order of their names. Blocks. */
    public List<StoredNamespace> namespaces() {
        return store.namespaces(MAX_NAMESPACES + BEYOND);
    }

    /**
     * Makes a namespace. Blocks.
     *
     * @param by the name of the caller
     * @return false if there is one of this name
     * @throws DelayException TOO_MANY, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public boolean create(NewNamespace order, String by) {
        if (rows.namespaces() >= MAX_NAMESPACES) {
            throw new DelayException(ErrorCode.TOO_MANY, "there are " + MAX_NAMESPACES + " namespaces already");
        }
        StoredNamespace row = order.row(clock.millis(), by);
        return change(() -> store.add(row));
    }

    /**
     * Changes a namespace. Blocks.
     *
     * @return the namespace as it is now
     * @throws DelayException NOT_FOUND, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public StoredNamespace changeNamespace(String name, NamespaceChange change) {
        return change(() -> store.changeNamespace(name, change.columns())).orElseThrow(() -> noNamespace(name));
    }

    /**
     * Deletes a namespace that has no tokens. Blocks.
     *
     * @throws DelayException NOT_FOUND, ID_CONFLICT if it has tokens, STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     */
    public void deleteNamespace(String name) {
        if (tokensOf(name).findAny().isPresent()) {
            throw new DelayException(
                    ErrorCode.ID_CONFLICT, "the namespace " + name + " has tokens; delete them before");
        }
        boolean removed = change(() -> {
            boolean deleted = store.removeNamespace(name);
            // A token that another call made meanwhile would have no limits.
            tokensOf(name).forEach(token -> store.remove(token.tokenId()));
            return deleted;
        });
        if (!removed) {
            throw noNamespace(name);
        }
    }

    private Stream<StoredToken> tokensOf(String namespace) {
        return all().stream().filter(token -> token.namespace().equals(namespace));
    }

    private static DelayException noNamespace(String name) {
        return new DelayException(ErrorCode.NOT_FOUND, "there is no namespace " + name);
    }

    private static DelayException unknown(String tokenId) {
        return new DelayException(ErrorCode.NOT_FOUND, "no token has the id " + tokenId);
    }

    private <T> T change(Supplier<T> write) {
        try {
            T result = inTurn(write);
            announceChange();
            return result;
        } catch (StoreInDoubtException e) {
            // The change may be made, so all nodes read.
            announceChange();
            throw e;
        }
    }

    private <T> T inTurn(Supplier<T> write) {
        turn.lock();
        try {
            T result = write.get();
            readChange();
            return result;
        } finally {
            turn.unlock();
            // The loop reads an outcome that is in doubt.
            loop.wake();
        }
    }

    private void announceChange() {
        try {
            announce.run();
        } catch (DelayException e) {
            LOG.debug("A change of a token could not be announced; the other nodes read it within {}", INTERVAL, e);
        }
    }

    /** The change is made: a caller that made a token must get it, whatever becomes of this read. */
    private void readChange() {
        try {
            read();
        } catch (DelayException e) {
            LOG.debug("The tokens could not be read after a change; the loop reads them again", e);
        }
    }

    /**
     * A day of UTC.
     *
     * @param number since the epoch
     * @param text as {@code 2026-11-29}
     */
    private record Day(long number, String text) {}
}
