package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.Collections;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Schedules messages by the agreed number of buckets. If this number has just changed, it schedules them once more.
 * Thread-safe.
 */
final class Schedules {
    private final BucketCount layout;
    private final BucketCalls calls;
    private final Wakes wakes;
    private final LongSupplier latestDueMicros;

    /** @param latestDueMicros see {@link io.mykit.delay.common.time.ClusterClock#latestDueMicros()} */
    Schedules(BucketCount layout, BucketCalls calls, Wakes wakes, LongSupplier latestDueMicros) {
        this.layout = layout;
        this.calls = calls;
        this.wakes = wakes;
        this.latestDueMicros = latestDueMicros;
    }

    List<ScheduleOutcome> run(
            List<DelayMessage> messages, Predicate<DelayMessage> attempted, Predicate<String> pulled) {
        try {
            ScheduleRun run = newRun(messages);
            List<ScheduleOutcome> outcomes = run.run(messages, attempted, pulled);
            if (!run.metClosed()) {
                return outcomes;
            }
            layout.doubt();
            // The first run may have scheduled messages in old buckets that were not closed yet. The restore brings
            // them
            // into the new buckets, so it does no harm to try all messages again.
            return newRun(messages).run(messages, attempted, pulled);
        } catch (IndexUnavailableException e) {
            return Collections.nCopies(messages.size(), ScheduleOutcome.UNAVAILABLE);
        }
    }

    private ScheduleRun newRun(List<DelayMessage> messages) {
        return new ScheduleRun(layout.agreed(), calls, wakes, latestDueMicros.getAsLong(), messages.size());
    }
}
