package io.mykit.delay.queue.bucket;

import io.mykit.delay.common.lifecycle.Backoff;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One loop's view of the buckets: a bucket that Redis does not serve rests with a backoff of its own, and the others go on.
 * On Redis Cluster a silent shard therefore costs its own buckets only. On a single Redis all buckets fail together; then
 * the methods throw, and the loop as a whole backs off. Used by one thread.
 *
 * <p>An outage is logged twice: when it begins, and when the last of the buckets is served again.
 */
public final class BucketBackoff {
    private static final Logger LOG = LoggerFactory.getLogger(BucketBackoff.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(500), Duration.ofSeconds(5));

    private static final long LEAST_PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    private final String work;
    private final MessageIndex index;
    private final LongSupplier nanoTime;
    private final Map<Integer, Rest> resting = new TreeMap<>();
    private boolean reported;

    /** @param work of the loop, for the log */
    public BucketBackoff(String work, MessageIndex index) {
        this(work, index, System::nanoTime);
    }

    BucketBackoff(String work, MessageIndex index, LongSupplier nanoTime) {
        this.work = work;
        this.index = index;
        this.nanoTime = nanoTime;
    }

    /**
     * Makes the call for each bucket that does not rest.
     *
     * @param call may throw {@link IndexUnavailableException}: then this bucket rests. Throws it {@link NotOwnedException}, then
     *     the bucket is left to its scanner, which claims it again. Everything else ends the round
     * @throws IndexUnavailableException if no bucket is served
     */
    public void each(Iterable<OwnedBucket> owned, Consumer<OwnedBucket> call) {
        IndexUnavailableException last = null;
        int served = 0;
        for (OwnedBucket bucket : owned) {
            if (isResting(bucket.bucket())) {
                continue;
            }
            try {
                call.accept(bucket);
                worked(bucket.bucket());
                served++;
            } catch (NotOwnedException e) {
                LOG.debug("{}: {}; its scanner claims it again, if the term goes on", work, e.getMessage());
                served++;
            } catch (IndexUnavailableException e) {
                failed(bucket.bucket(), e);
                last = e;
            }
        }
        report(last);
        if (served == 0 && last != null) {
            throw last;
        }
    }

    /**
     * Makes one call over those rows whose buckets are served. If some of these fail, the call is made again without them;
     * so it must do no harm when it is made twice.
     *
     * @return the rows for which the call was made
     * @throws IndexUnavailableException if no bucket of the index is served
     */
    public <R> List<R> served(List<R> rows, Function<R, String> idOf, Consumer<List<R>> call) {
        IndexUnavailableException last = null;
        List<R> left = withoutResting(rows, idOf);
        while (!left.isEmpty()) {
            try {
                call.accept(left);
                if (!resting.isEmpty()) {
                    left.forEach(row -> worked(index.bucketOf(idOf.apply(row))));
                }
                report(last);
                return left;
            } catch (IndexUnavailableException e) {
                last = e;
                e.buckets().forEach(bucket -> failed(bucket, e));
                List<R> fewer = withoutResting(left, idOf);
                if (fewer.size() == left.size()) {
                    // Which buckets failed is not known, or there are more or fewer of them now.
                    throw e;
                }
                left = fewer;
            }
        }
        report(last);
        if (!rows.isEmpty() && index.refusing().size() == index.buckets()) {
            throw last == null ? new IndexUnavailableException("no server of the index answers", null) : last;
        }
        return List.of();
    }

    /** Whether the bucket failed a moment ago. */
    public boolean isResting(int bucket) {
        Rest rest = resting.get(bucket);
        return rest != null && nanoTime.getAsLong() - rest.untilNanos < 0;
    }

    /** How long the loop should wait: until the first bucket has rested, at most as long as it would wait otherwise. */
    public Duration pause(Duration interval) {
        long now = nanoTime.getAsLong();
        long least = interval.toNanos();
        for (Rest rest : resting.values()) {
            least = Math.min(least, Math.max(rest.untilNanos - now, LEAST_PAUSE_NANOS));
        }
        return Duration.ofNanos(least);
    }

    /** The bucket rests for a while. */
    public void failed(int bucket, IndexUnavailableException failure) {
        int failures = resting.containsKey(bucket) ? resting.get(bucket).failures + 1 : 1;
        long untilNanos = nanoTime.getAsLong() + BACKOFF.after(failures).toNanos();
        resting.put(bucket, new Rest(failures, untilNanos));
        LOG.debug("{}: bucket {} is left alone for now", work, bucket, failure);
    }

    /** The bucket is served. */
    public void worked(int bucket) {
        if (resting.remove(bucket) != null && resting.isEmpty() && reported) {
            reported = false;
            LOG.info("{}: all buckets are served again", work);
        }
    }

    /** Logs an outage that has just begun. */
    public void report(IndexUnavailableException failure) {
        if (failure != null && !reported) {
            reported = true;
            LOG.warn(
                    "{}: bucket(s) {} are left alone and tried again within {} s, the others go on: {}",
                    work,
                    resting.keySet(),
                    BACKOFF.max().toSeconds(),
                    failure.getMessage());
        }
    }

    private <R> List<R> withoutResting(List<R> rows, Function<R, String> idOf) {
        if (resting.isEmpty()) {
            return rows;
        }
        BitSet out = new BitSet();
        resting.keySet().stream().filter(this::isResting).forEach(out::set);
        return rows.stream()
                .filter(row -> !out.get(index.bucketOf(idOf.apply(row))))
                .toList();
    }

    private record Rest(int failures, long untilNanos) {}
}
