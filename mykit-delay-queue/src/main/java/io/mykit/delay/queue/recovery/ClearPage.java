package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.Location;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Cancels the messages of pages of rows, or only counts them. One thread.
 *
 * <p>A row may change while its message leaves the index. The loader claims a row, finds the veto in the index, and gives the
 * row back to a status that the walk has passed. So the rows that changed are read and cancelled again.
 */
final class ClearPage {
    /** The loader looks at a row once a second, and a delivery ends it. So a second try is enough nearly always. */
    private static final int TRIES = 4;
    /** More than the clocks of two nodes differ. A message that was pushed before the clear must not survive for it. */
    private static final Duration CLOCKS_APART = Duration.ofSeconds(1);

    private final Recovery recovery;
    private final boolean dryRun;
    private final long newestMs;
    private final BucketBackoff buckets;
    private long cleared;
    private long unreachable;

    ClearPage(Recovery recovery, boolean dryRun) {
        this.recovery = recovery;
        this.dryRun = dryRun;
        this.newestMs = recovery.clock().millis() + CLOCKS_APART.toMillis();
        this.buckets = new BucketBackoff("Clear", recovery.index());
    }

    long cleared() {
        return cleared;
    }

    /** How many rows stay as they are because Redis does not serve their buckets. */
    long unreachable() {
        return unreachable;
    }

    /** Clears a page. Messages that were pushed after the begin of the clear stay, if their rows tell of it. */
    void clear(List<RowState> page) {
        List<RowState> rows =
                page.stream().filter(row -> row.insertedMs() <= newestMs).toList();
        if (!rows.isEmpty()) {
            cleared += dryRun ? count(rows) : cancel(rows);
        }
    }

    private long count(List<RowState> rows) {
        Map<String, Location> known = new HashMap<>();
        List<RowState> asked = served(
                rows,
                some -> known.putAll(
                        recovery.index().locate(some.stream().map(RowState::id).toList())));
        return asked.size()
                - known.values().stream()
                        .filter(location -> location == Location.TAKEN || location == Location.PARKED)
                        .count();
    }

    private int cancel(List<RowState> rows) {
        int cancelled = 0;
        List<RowState> left = rows;
        for (int tries = 0; tries < TRIES && !left.isEmpty(); tries++) {
            Map<String, RowState> changed = new HashMap<>();
            cancelled += cancelOnce(left, changed);
            left = changed.isEmpty() ? List.of() : again(changed);
        }
        return cancelled;
    }

    /** The rows that have moved on and are still unfinished. A later version was pushed meanwhile, and stays. */
    private List<RowState> again(Map<String, RowState> changed) {
        return recovery.store().states(changed.keySet()).stream()
                .filter(row -> row.status().isUnfinished()
                        && row.version() == changed.get(row.id()).version())
                .toList();
    }

    /** @param changed receives the rows that changed in between */
    private int cancelOnce(List<RowState> rows, Map<String, RowState> changed) {
        Set<String> beingDelivered = new HashSet<>();
        List<RowState> gone = served(
                rows,
                some -> beingDelivered.addAll(
                        recovery.withdrawals().takeOut(some, recovery.clock().millis())));
        List<Transition.Step> deleted = List.of(
                new Transition.Step(MessageStatus.DELETE, recovery.clock().millis(), "cleared by an operator"));
        List<RowState> takenOut =
                gone.stream().filter(row -> !beingDelivered.contains(row.id())).toList();
        Set<String> lost = recovery.store()
                .move(takenOut.stream()
                        .map(row -> Transition.of(row, deleted, "clear"))
                        .toList());
        takenOut.stream().filter(row -> lost.contains(row.id())).forEach(row -> changed.put(row.id(), row));
        // A repeated push, or the auditor, may have read a row before and scheduled its message since.
        recovery.withdrawals()
                .forget(takenOut.stream()
                        .filter(row -> !lost.contains(row.id()))
                        .map(RowState::ref)
                        .toList());
        int cleared = takenOut.size() - lost.size();
        recovery.board().cleared(cleared);
        return cleared;
    }

    private List<RowState> served(List<RowState> rows, Consumer<List<RowState>> call) {
        List<RowState> served = buckets.served(rows, RowState::id, call);
        unreachable += rows.size() - served.size();
        return served;
    }
}
