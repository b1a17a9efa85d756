package io.mykit.delay.queue.search;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.SearchStore;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Finds the unfinished messages of one topic with one business key, for calls that work on all of them. The answer is complete, or there
 * is none: a search that would have to look at too many rows is refused.
 *
 * <p>With the optional index of business keys the search looks at the messages of the key. Without it, it looks at all unfinished
 * messages, one such search at a time on a node; a few others wait for a moment, and a further one is refused. Thread-safe; blocks.
 */
public final class KeySearch {
    /** The maximum of messages that a call works on. */
    public static final int MAX_MESSAGES = 1000;
    /** The maximum of rows to look at. */
    public static final int MAX_ROWS = MessageSearch.WALK_ROWS;

    private static final int WAITING = 4;
    private static final long WAIT_MS = 500;

    private final SearchStore store;
    private final KnownIndexes indexes;
    private final Semaphore walks = new Semaphore(1, true);

    KeySearch(SearchStore store, KnownIndexes indexes) {
        this.store = store;
        this.indexes = indexes;
    }

    /**
     * The ids of the messages, in the order of their due times.
     *
     * @throws DelayException TOO_MANY, BUSY or STORE_UNAVAILABLE
     */
    public List<String> unfinished(String topic, String bizKey) {
        List<RowCursor> found = indexes.bizKey() ? byKey(topic, bizKey) : byWalk(topic, bizKey);
        if (found.size() > MAX_MESSAGES) {
            throw tooMany("more than " + MAX_MESSAGES + " unfinished messages of topic " + topic + " have bizKey "
                    + bizKey + ", and one call takes no more; use their ids, which GET /messages?topic=&bizKey= lists");
        }
        return found.stream()
                .sorted(Comparator.comparingLong(RowCursor::dueTimeMs).thenComparing(RowCursor::id))
                .map(RowCursor::id)
                .toList();
    }

    private List<RowCursor> byKey(String topic, String bizKey) {
        return store.unfinishedOf(topic, bizKey, true, MAX_ROWS, MAX_MESSAGES + 1)
                .orElseThrow(() -> tooMany("more than " + MAX_ROWS + " messages have bizKey " + bizKey
                        + ", those of other topics and those that have ended included; use ids"));
    }

    private List<RowCursor> byWalk(String topic, String bizKey) {
        if (!takePlace()) {
            throw new DelayException(
                    ErrorCode.BUSY, "other searches for business keys run on this node; nothing was done, try again");
        }
        try {
            return store.unfinishedOf(topic, bizKey, false, MAX_ROWS, MAX_MESSAGES + 1)
                    .orElseThrow(() -> tooMany("the database has no index of business keys, and more than " + MAX_ROWS
                            + " messages are unfinished, so their search would not be complete; an operator makes the"
                            + " index with sql/optional/search.sql (idx_mykit_delay_job_bizkey)"));
        } finally {
            walks.release();
        }
    }

    private boolean takePlace() {
        try {
            return walks.getQueueLength() < WAITING && walks.tryAcquire(WAIT_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static DelayException tooMany(String why) {
        return new DelayException(ErrorCode.TOO_MANY, why + "; nothing was done");
    }
}
