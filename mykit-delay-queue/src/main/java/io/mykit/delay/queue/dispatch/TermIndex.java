package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.TermLeases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index in the hands of one term's dispatcher. A batch comes from several buckets, and one that is lost or fenced
 * does not spoil the others: a lost one is claimed again by its scanner, a fenced one ends the term. Thread-safe.
 *
 * <p>When Redis cannot be reached the methods do what they can, and throw nothing: the bucket is suspect then, and its scanner
 * gives back what was taken and is in no batch any more ({@link TermLeases}).
 */
final class TermIndex {
    private static final Logger LOG = LoggerFactory.getLogger(TermIndex.class);

    private final BucketIndex index;
    private final LeaderTerm term;
    private final TermLeases leases;

    TermIndex(BucketIndex index, LeaderTerm term, TermLeases leases) {
        this.index = index;
        this.term = term;
        this.leases = leases;
    }

    /** As {@link BucketIndex#take}, but for buckets that failed, which are empty: their scanners offer them again. */
    List<Take> take(List<Integer> buckets, String topic, int limit, Duration lease) {
        Failures failures = new Failures();
        List<Take> taken = new ArrayList<>(buckets.size());
        for (Take take : leases.take(buckets, () -> index.take(buckets, topic, term.epoch(), limit, lease))) {
            if (take.failure() == null) {
                taken.add(take);
            } else {
                failures.met(take.failure());
            }
        }
        failures.rethrow();
        return taken;
    }

    void settle(List<Leased> messages) {
        settle(Leased.idsByBucket(messages));
    }

    void settle(Map<Integer, List<String>> ids) {
        each(ids, (bucket, some) -> leases.end(bucket, some, () -> index.settle(bucket, term.epoch(), some)));
    }

    void park(Map<Integer, List<ParkedOutcome>> outcomes) {
        each(outcomes, (bucket, some) -> {
            List<String> ids = some.stream().map(ParkedOutcome::id).toList();
            leases.end(bucket, ids, () -> index.park(bucket, term.epoch(), some));
        });
    }

    void postpone(Map<Integer, Map<String, Duration>> delays) {
        each(
                delays,
                (bucket, some) -> leases.end(bucket, some.keySet(), () -> index.postpone(bucket, term.epoch(), some)));
    }

    void release(String topic, Map<Integer, List<String>> ids) {
        each(ids, (bucket, some) -> leases.end(bucket, some, () -> index.release(bucket, topic, term.epoch(), some)));
    }

    /** Drops what is still in hand of these, without a word to the index. */
    void abandon(List<Leased> messages) {
        Leased.idsByBucket(messages).forEach(leases::abandon);
    }

    /** Whether this bucket came back older: then the index alone decides nothing. */
    boolean isOlder(int bucket) {
        return leases.isOlder(bucket);
    }

    void schedule(List<DelayMessage> messages) {
        index.schedule(messages);
    }

    private <T> void each(Map<Integer, T> buckets, BiConsumer<Integer, T> call) {
        Failures failures = new Failures();
        buckets.forEach((bucket, some) -> {
            try {
                call.accept(bucket, some);
            } catch (RuntimeException e) {
                failures.met(e);
            }
        });
        failures.rethrow();
    }

    /** What went wrong in the buckets of one call. */
    private final class Failures {
        private RuntimeException first;

        void met(RuntimeException failure) {
            if (failure instanceof BucketLostException) {
                LOG.debug("{}; its scanner claims it again", failure.getMessage());
            } else if (failure instanceof FencedException) {
                LOG.warn("Another leader has been here, this term is over: {}", failure.getMessage());
                term.fenced();
            } else if (failure instanceof IndexUnavailableException) {
                LOG.debug("{}; its scanner looks through its leases", failure.getMessage());
            } else if (first == null) {
                first = failure;
            } else if (first != failure) {
                first.addSuppressed(failure);
            }
        }

        void rethrow() {
            if (first != null) {
                throw first;
            }
        }
    }
}
