package io.mykit.delay.queue.search;

import static java.util.stream.Collectors.toMap;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.store.FoundDetails;
import io.mykit.delay.queue.store.FoundMessage;
import io.mykit.delay.queue.store.SearchStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;

/**
 * Finds messages for people, within bounded time. A page costs as many rows as it shows where an index serves the search. Otherwise
 * the search looks at 20,000 rows at most, or for 500 ms, and tells how far it came; the caller goes on from there.
 *
 * <p>One walk at a time and two other pages run on a node; a further one is refused. So the searches of any number of people
 * cost a node three connections of the pool for single statements, and no push waits for them. Thread-safe; blocks.
 */
public final class MessageSearch {
    /** The rows that one page of a walk looks at. */
    public static final int WALK_ROWS = 20_000;
    /** The time after which a walk ends its page. */
    public static final int WALK_MS = 500;

    private static final int STEP = 500;
    private static final int LISTS = 2;
    private static final long NANOS_PER_MS = 1_000_000;

    private final SearchStore store;
    private final Function<Collection<String>, Map<String, Location>> places;
    private final ToIntFunction<String> buckets;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final KnownIndexes indexes;
    private final KeySearch keys;
    private final Semaphore walks = new Semaphore(1);
    private final Semaphore lists = new Semaphore(LISTS);

    /**
     * @param places the places of messages in the index, by id: {@code MessageIndex::locate}
     * @param buckets {@code MessageIndex::sharedBucketOf}
     */
    public MessageSearch(
            SearchStore store,
            Function<Collection<String>, Map<String, Location>> places,
            ToIntFunction<String> buckets,
            InstantSource clock) {
        this(store, places, buckets, clock, System::nanoTime);
    }

    MessageSearch(
            SearchStore store,
            Function<Collection<String>, Map<String, Location>> places,
            ToIntFunction<String> buckets,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.store = store;
        this.places = places;
        this.buckets = buckets;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.indexes = new KnownIndexes(store, nanoTime);
        this.keys = new KeySearch(store, indexes);
    }

    /** The optional indexes of the database, as the node last saw them. */
    public KnownIndexes indexes() {
        return indexes;
    }

    /** The search for calls that work on all messages of a business key. */
    public KeySearch keys() {
        return keys;
    }

    /**
     * Reads a page.
     *
     * @throws DelayException BUSY if other searches run, INVALID_REQUEST if the cursor belongs to another way, STORE_UNAVAILABLE
     */
    public SearchPage find(SearchOrder order) {
        SearchWay way = SearchWay.of(order.filter(), indexes.now());
        if (order.after().map(SearchCursor::way).filter(other -> other != way).isPresent()) {
            throw new DelayException(
                    ErrorCode.INVALID_REQUEST,
                    "after belongs to a search of another kind, because the indexes of the database have changed;"
                            + " begin with the first page");
        }
        boolean exact = way.isExact(order.filter());
        Semaphore place = exact ? lists : walks;
        if (!place.tryAcquire()) {
            throw new DelayException(
                    ErrorCode.BUSY,
                    exact
                            ? "two other pages of messages are being read on this node; try again"
                            : "another search walks through the messages on this node; try again");
        }
        try {
            return find(order, way, exact);
        } finally {
            place.release();
        }
    }

    private SearchPage find(SearchOrder order, SearchWay way, boolean exact) {
        long asOfMs = clock.millis();
        long endNanos = nanoTime.getAsLong() + WALK_MS * NANOS_PER_MS;
        MergedRows rows = new MergedRows(SearchStreams.of(store, order, way, exact ? order.limit() : STEP));
        List<FoundMessage> items = new ArrayList<>();
        FoundMessage last = null;
        boolean complete = false;
        int looked = 0;
        // What is read is looked at in any case: a slow read must not end with one row.
        while (items.size() < order.limit()
                && looked < WALK_ROWS
                && (rows.isRead() || endNanos - nanoTime.getAsLong() > 0)) {
            FoundMessage row = rows.next();
            if (row == null) {
                complete = true;
                break;
            }
            looked++;
            last = row;
            if (order.filter().matches(row)) {
                items.add(row);
            }
        }
        OptionalLong about = way == SearchWay.WALK
                ? store.estimate(order.filter().statusesToRead(), order.filter().window())
                : OptionalLong.empty();
        SearchCursor before = order.after().orElse(SearchCursor.start(way));
        Optional<SearchCursor> next =
                complete ? Optional.empty() : Optional.of(last == null ? before : before.behind(last));
        return new SearchPage(
                asOfMs,
                way,
                now(items, asOfMs),
                details(items),
                buckets(items),
                looked,
                about,
                Optional.ofNullable(last),
                complete,
                next);
    }

    /** The rows with the statuses that their messages have now, as {@code MessageLookup} tells them. Only those that are due may differ. */
    private List<FoundMessage> now(List<FoundMessage> items, long asOfMs) {
        List<String> due = items.stream()
                .filter(row -> row.status().isUnfinished() && row.dueTimeMs() <= asOfMs)
                .map(FoundMessage::id)
                .toList();
        if (due.isEmpty()) {
            return items;
        }
        try {
            Map<String, Location> found = places.apply(due);
            return items.stream()
                    .map(row -> row.status().isUnfinished()
                            ? row.withStatus(Location.statusNow(found.get(row.id()), row.status()))
                            : row)
                    .toList();
        } catch (IndexUnavailableException e) {
            return items;
        }
    }

    /** Large bodies may take the database long. A page without details is better than none. */
    private Map<String, FoundDetails> details(List<FoundMessage> items) {
        try {
            return store.details(items.stream().map(FoundMessage::id).toList());
        } catch (StoreUnavailableException e) {
            return Map.of();
        }
    }

    private Map<String, Integer> buckets(List<FoundMessage> items) {
        try {
            return items.stream().collect(toMap(FoundMessage::id, row -> buckets.applyAsInt(row.id())));
        } catch (IndexUnavailableException e) {
            return Map.of();
        }
    }
}
