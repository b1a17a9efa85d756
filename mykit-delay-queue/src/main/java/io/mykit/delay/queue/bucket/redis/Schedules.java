package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import java.util.Collections;
import java.util.List;

/** Schedules messages by the number of buckets that is agreed, and again if that has just changed. Thread-safe. */
final class Schedules {
    private final BucketCount layout;
    private final BucketCalls calls;
    private final Wakes wakes;

    Schedules(BucketCount layout, BucketCalls calls, Wakes wakes) {
        this.layout = layout;
        this.calls = calls;
        this.wakes = wakes;
    }

    List<ScheduleOutcome> run(List<DelayMessage> messages) {
        try {
            ScheduleRun run = new ScheduleRun(layout.agreed(), calls, wakes, messages.size());
            List<ScheduleOutcome> outcomes = run.run(messages);
            if (!run.metClosed()) {
                return outcomes;
            }
            layout.doubt();
            // What went into buckets that are not closed yet will be restored in the new ones, so that all are tried.
            return new ScheduleRun(layout.agreed(), calls, wakes, messages.size()).run(messages);
        } catch (IndexUnavailableException e) {
            return Collections.nCopies(messages.size(), ScheduleOutcome.UNAVAILABLE);
        }
    }
}
