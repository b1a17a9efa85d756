package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketBackoff;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.StoredMessage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** Schedules messages whose rows should be in the index and are not, or are there in an older version. One thread. */
final class MissingRows {
    private final Recovery recovery;
    private final RecoveryKind work;
    private final BucketBackoff buckets;
    private final IntConsumer notServed;

    /**
     * @param work the kind of recovery for the board
     * @param buckets decides which buckets rest
     * @param notServed is called with each bucket whose rows stay as they are
     */
    MissingRows(Recovery recovery, RecoveryKind work, BucketBackoff buckets, IntConsumer notServed) {
        this.recovery = recovery;
        this.work = work;
        this.buckets = buckets;
        this.notServed = notServed;
    }

    /**
     * Looks for the rows in the index, and schedules the missing ones.
     *
     * @return how many messages the index did not know and has now
     * @throws io.mykit.delay.queue.bucket.IndexUnavailableException if the index cannot be asked
     */
    long schedule(List<RowState> page) {
        if (page.isEmpty()) {
            return 0;
        }
        Set<String> unknown = new HashSet<>();
        List<RowState> asked = buckets.served(
                page,
                RowState::id,
                some -> unknown.addAll(recovery.index()
                        .unknown(some.stream().map(RowState::ref).toList())));
        if (asked.size() < page.size()) {
            Set<RowState> served = new HashSet<>(asked);
            page.stream().filter(row -> !served.contains(row)).forEach(row -> notServed(row.id()));
        }
        AtomicLong scheduled = new AtomicLong();
        // The rows are read again: a row that ended between the page and the call to the index must not be scheduled.
        recovery.store().find(List.copyOf(unknown), PageSize.BODIES, rows -> scheduled.addAndGet(put(rows)));
        if (scheduled.get() > 0) {
            recovery.board().scheduled(work, scheduled.get());
        }
        return scheduled.get();
    }

    private long put(List<StoredMessage> rows) {
        List<DelayMessage> missing = rows.stream()
                .filter(StoredMessage::isForIndex)
                .map(StoredMessage::message)
                .toList();
        List<ScheduleOutcome> outcomes = recovery.scheduleLost(missing);
        long scheduled = 0;
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) == ScheduleOutcome.SCHEDULED) {
                scheduled++;
            } else if (outcomes.get(i) == ScheduleOutcome.UNAVAILABLE) {
                notServed(missing.get(i).id());
            }
        }
        if (scheduled > 0) {
            recovery.scheduling().forgetEnded(missing);
        }
        return scheduled;
    }

    private void notServed(String id) {
        notServed.accept(recovery.index().bucketOf(id));
    }
}
