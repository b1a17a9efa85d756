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
 * The backoff of one loop for each bucket. If Redis does not serve a bucket, the loop skips it for a while, and the other
 * buckets go on. On Redis Cluster, a silent shard therefore stops its own buckets only. On a single Redis, all buckets fail
 * together: then the methods throw, and the whole loop backs off. One thread uses it.
 *
 * <p>The log has two lines for an outage: when it begins, and when Redis serves all buckets again.
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

    /** @param work the name of the loop in the log */
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
     * @param call may throw {@link IndexUnavailableException}: then this bucket rests. It may throw {@link
     *     NotOwnedException}: then its scanner claims the bucket again. Any other exception ends the round
     * @throws IndexUnavailableException if Redis serves no bucket
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
                LOG.debug(
                        "{}: this leader does not own a bucket ({}); its scanner claims it again if the term is active",
                        work,
                        e.getMessage());
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
     * Makes one call over the rows whose buckets are served. If some of these buckets fail, the call is made again without
     * their rows. So the call must do no harm when it is made twice.
     *
     * @return the rows for which the call was made
     * @throws IndexUnavailableException if Redis serves no bucket of the index
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
                    // The index does not know which buckets failed, or the number of buckets has changed.
                    throw e;
                }
                left = fewer;
            }
        }
        report(last);
        if (!rows.isEmpty() && index.refusing().size() == index.buckets()) {
            throw last == null ? new IndexUnavailableException("no Redis server of the index answers", null) : last;
        }
        return List.of();
    }

    /** Whether the bucket failed recently and still rests. */
    public boolean isResting(int bucket) {
        Rest rest = resting.get(bucket);
        return rest != null && nanoTime.getAsLong() - rest.untilNanos < 0;
    }

    /** The next wait of the loop: until the first resting bucket may be tried again, and at most the interval. */
    public Duration pause(Duration interval) {
        long now = nanoTime.getAsLong();
        long least = interval.toNanos();
        for (Rest rest : resting.values()) {
            least = Math.min(least, Math.max(rest.untilNanos - now, LEAST_PAUSE_NANOS));
        }
        return Duration.ofNanos(least);
    }

    /** Notes that Redis did not serve the bucket: it rests for a while. */
    public void failed(int bucket, IndexUnavailableException failure) {
        int failures = resting.containsKey(bucket) ? resting.get(bucket).failures + 1 : 1;
        long untilNanos = nanoTime.getAsLong() + BACKOFF.after(failures).toNanos();
        resting.put(bucket, new Rest(failures, untilNanos));
        LOG.debug("{}: Redis does not serve bucket {}; the loop skips it for now", work, bucket, failure);
    }

    /** Notes that Redis served the bucket. */
    public void worked(int bucket) {
        if (resting.remove(bucket) != null && resting.isEmpty() && reported) {
            reported = false;
            LOG.info("{}: Redis serves all buckets again", work);
        }
    }

    /** Logs an outage that has just begun. */
    public void report(IndexUnavailableException failure) {
        if (failure != null && !reported) {
            reported = true;
            LOG.warn(
                    "{}: Redis does not serve bucket(s) {}; they are tried again within {} s, the other buckets go on: {}",
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
