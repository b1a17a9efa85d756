package io.mykit.delay.queue.overview;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.NearCount;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.RowCursor;
import io.mykit.delay.queue.store.RowState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Counts messages in both stores, at most every five seconds and only while somebody looks. No count reads more than {@value #CAP}
 * index entries of a status. Thread-safe; blocks.
 */
final class Counts {
    static final int CAP = 50_000;
    private static final long INTERVAL_MS = 5_000;

    private final MessageStore store;
    private final MessageIndex index;
    private final Parts parts;
    /** Guarded by this. */
    private Map<String, Object> last;
    /** Guarded by this. */
    private long countedAtMs;

    private volatile Near near = new Near(-1, Long.MIN_VALUE);

    Counts(MessageStore store, MessageIndex index, Parts parts) {
        this.store = store;
        this.index = index;
        this.parts = parts;
    }

    /** The messages in Redis, if they were counted within the last step; else -1. */
    long near(long nowMs) {
        Near counted = near;
        return nowMs - counted.atMs() <= INTERVAL_MS ? counted.messages() : -1;
    }

    /** The counts as JSON values. A number that is not known is null, and {@code unknown} says why. */
    synchronized Map<String, Object> get(long nowMs) {
        if (last == null || nowMs - countedAtMs >= INTERVAL_MS || nowMs < countedAtMs) {
            last = count(nowMs);
            countedAtMs = nowMs;
        }
        return last;
    }

    private Map<String, Object> count(long nowMs) {
        Map<String, Object> counts = new LinkedHashMap<>();
        Map<String, Object> unknown = new LinkedHashMap<>();
        counts.put("countedAt", nowMs);
        put(counts, unknown, Parts.INDEX, List.of("near", "leased", "parked"), () -> {
            NearCount counted = index.near();
            near = new Near(counted.pool(), nowMs);
            return List.of(counted.pool(), counted.leased(), counted.parked());
        });
        put(
                counts,
                unknown,
                Parts.STORE,
                List.of("far", "overdue", "dead", "oldestOverdueMs"),
                () -> List.of(
                        capped(store.count(MessageStatus.WAIT_PUT, Long.MAX_VALUE, CAP + 1)),
                        overdue(nowMs),
                        capped(store.countDead(CAP + 1)),
                        oldestOverdue(nowMs)));
        counts.put("unknown", unknown);
        return counts;
    }

    /** @param numbers one for each name */
    private void put(
            Map<String, Object> counts,
            Map<String, Object> unknown,
            String part,
            List<String> names,
            Supplier<List<Object>> numbers) {
        String reason = parts.find(part).map(PartState::reason).orElse("");
        if (part.equals(Parts.INDEX) ? parts.isIndexReadable() : parts.isUp(part)) {
            try {
                List<Object> found = numbers.get();
                for (int i = 0; i < names.size(); i++) {
                    counts.put(names.get(i), found.get(i));
                }
                return;
            } catch (DelayException e) {
                reason = e.getMessage();
            }
        }
        for (String name : names) {
            counts.put(name, null);
            unknown.put(name, reason);
        }
    }

    private Map<String, Object> overdue(long nowMs) {
        long sum = 0;
        for (MessageStatus status : MessageStatus.UNFINISHED) {
            sum += store.count(status, nowMs, CAP + 1);
        }
        return capped(sum);
    }

    /** Four seeks in the index. 0 = no message is overdue. */
    private long oldestOverdue(long nowMs) {
        OptionalLong oldest = MessageStatus.UNFINISHED.stream()
                .flatMap(status -> store.pageStates(status, RowCursor.START, nowMs, 1).stream())
                .mapToLong(RowState::dueTimeMs)
                .min();
        return oldest.isPresent() ? nowMs - oldest.getAsLong() : 0;
    }

    private static Map<String, Object> capped(long counted) {
        Map<String, Object> number = new LinkedHashMap<>();
        number.put("n", Math.min(counted, CAP));
        number.put("capped", counted > CAP);
        return number;
    }

    private record Near(long messages, long atMs) {}
}
