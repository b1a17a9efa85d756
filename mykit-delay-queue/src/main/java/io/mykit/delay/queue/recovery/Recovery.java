package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.RecoveryConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * What recovery needs, in every term and at an operator's call. Immutable.
 *
 * @param horizon how far ahead rows are loaded; zero = all
 */
public record Recovery(
        MessageStore store,
        MessageIndex index,
        Scheduling scheduling,
        InstantSource clock,
        Duration horizon,
        RecoveryConfig config,
        RecoveryBoard board) {
    /** What the index should know. */
    static final List<MessageStatus> IN_INDEX = List.of(MessageStatus.READY, MessageStatus.DELAY);

    /** Takes messages out of the index when their rows end. */
    Withdrawals withdrawals() {
        return new Withdrawals(store, index);
    }

    /** The loop that brings lost buckets back, for one term. */
    public BucketRestore bucketRestore(LeaderTerm term, OwnedBuckets owned) {
        return new BucketRestore(this, term, owned, new Comparison(this, term, owned));
    }

    /** The loop that brings rows near enough into the index, for one term. */
    public Loader loader(LeaderTerm term) {
        return new Loader(this, term);
    }

    /**
     * The loop that looks for what the index should know, for one term.
     *
     * @param restore of the same term
     */
    public Auditor auditor(LeaderTerm term, BucketRestore restore) {
        return new Auditor(this, term, restore);
    }

    /** Counts the rows in these statuses for whoever looks at the progress. */
    void count(List<MessageStatus> statuses, Progress progress) {
        progress.expect(() -> statuses.stream().mapToLong(store::count).sum());
    }
}
