package io.mykit.delay.queue.scan;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.common.lifecycle.OutageLog;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Answer;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScanResult;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves due messages of some buckets to the ready lists, or takes them at once, for one term. The buckets are on one server, so a
 * server that is silent holds up no other loop ({@link MessageIndex#serverGroups}). One thread runs the loop; any thread may wake it.
 *
 * <p>A round looks at the buckets whose time has come, in one exchange with Redis, and hands over what it took as a whole. Messages
 * that fall due within {@link ScanPace} share a round. Each move is one script of one bucket: after a crash, a message is either
 * still in the bucket, in its ready list, or under a lease.
 *
 * <p>A bucket that fails rests alone, and the others go on. If all buckets fail, the round fails as well.
 */
public final class ScanLoop implements Loop {
    private static final Logger LOG = LoggerFactory.getLogger(ScanLoop.class);

    private final Map<Integer, BucketScanner> scanners = new TreeMap<>();
    private final MessageIndex index;
    private final LeaderTerm term;
    private final OwnedBuckets buckets;
    private final ScanListener listener;
    private final Supplier<Handover> handovers;
    private final LongSupplier elapsedNanos;
    private final ScanSettings settings;
    private final LongSupplier nanoTime;
    private final ScanPace pace;
    private final OutageLog outage;
    /** The first failure of the current round; null = none. */
    private RuntimeException failure;

    /**
     * @param handovers say which messages the next scan may take at once for the listener
     * @param elapsedNanos the time by which leases age
     */
    public ScanLoop(
            List<Integer> group,
            MessageIndex index,
            LeaderTerm term,
            OwnedBuckets buckets,
            ScanListener listener,
            Supplier<Handover> handovers,
            LongSupplier elapsedNanos,
            ScanSettings settings) {
        this(group, index, term, buckets, listener, handovers, elapsedNanos, settings, System::nanoTime);
    }

    ScanLoop(
            List<Integer> group,
            MessageIndex index,
            LeaderTerm term,
            OwnedBuckets buckets,
            ScanListener listener,
            Supplier<Handover> handovers,
            LongSupplier elapsedNanos,
            ScanSettings settings,
            LongSupplier nanoTime) {
        this.index = index;
        this.term = term;
        this.buckets = buckets;
        this.listener = listener;
        this.handovers = handovers;
        this.elapsedNanos = elapsedNanos;
        this.settings = settings;
        this.nanoTime = nanoTime;
        this.pace = new ScanPace(settings.pause(), nanoTime);
        this.outage = new OutageLog(
                LOG, "Scans of some buckets " + group + " fail", "Scans of all buckets " + group + " work again");
        long nowNanos = nanoTime.getAsLong();
        for (int bucket : group) {
            scanners.put(bucket, new BucketScanner(bucket, term, buckets, listener, settings, nowNanos));
        }
    }

    /** The next round looks at this bucket, because an earlier message has come. Does not end the sleep of the loop. */
    public void wake(int bucket) {
        scanners.get(bucket).wake();
    }

    @Override
    public Duration runOnce() {
        if (!term.isActive()) {
            return settings.idlePoll();
        }
        if (pace.leftNanos() <= 0) {
            round();
        }
        long nowNanos = nanoTime.getAsLong();
        long nextNanos = scanners.values().stream()
                .mapToLong(scanner -> scanner.untilNextNanos(nowNanos))
                .min()
                .orElseThrow();
        return Duration.ofNanos(Math.max(0, Math.max(nextNanos, pace.leftNanos())));
    }

    private void round() {
        long begunNanos = nanoTime.getAsLong();
        failure = null;
        List<BucketScanner> asked = scanners.values().stream()
                .filter(scanner -> scanner.begin(begunNanos))
                .toList();
        scan(near(owned(asked)), begunNanos);
        if (failure == null) {
            outage.succeeded();
        } else if (scanners.values().stream().allMatch(BucketScanner::isFailing)) {
            throw failure;
        } else {
            log(failure);
        }
    }

    /** Claims one bucket in a round at most: a new leader delivers from the first ones while it claims the others. */
    private List<BucketScanner> owned(List<BucketScanner> asked) {
        List<BucketScanner> owned = new ArrayList<>(asked.size());
        boolean hasClaimed = false;
        for (BucketScanner scanner : asked) {
            if (!scanner.mustClaim()) {
                owned.add(scanner);
            } else if (hasClaimed) {
                scanner.leave();
            } else {
                hasClaimed = true;
                if (claim(scanner)) {
                    owned.add(scanner);
                }
            }
        }
        return owned;
    }

    private boolean claim(BucketScanner scanner) {
        try {
            return scanner.claim(nanoTime.getAsLong());
        } catch (RuntimeException e) {
            failed(scanner, e);
            return false;
        }
    }

    /** Leaves out the buckets of which a cheap read shows that nothing is due soon. */
    private List<BucketScanner> near(List<BucketScanner> owned) {
        Map<Boolean, List<BucketScanner>> parts = owned.stream().collect(partitioningBy(BucketScanner::isQuiet));
        List<BucketScanner> near = new ArrayList<>(parts.get(false));
        for (Answer<Long> answer : buckets.nextDue(numbers(parts.get(true)))) {
            BucketScanner scanner = scanners.get(answer.bucket());
            if (answer.failure() != null) {
                failed(scanner, answer.failure());
            } else if (scanner.looked(answer.value(), index.timeMs(), nanoTime.getAsLong())) {
                near.add(scanner);
            }
        }
        return near;
    }

    private void scan(List<BucketScanner> near, long begunNanos) {
        if (near.isEmpty()) {
            return;
        }
        long sinceNanos = elapsedNanos.getAsLong();
        Handover handover = handovers.get();
        List<Answer<ScanResult>> answers = buckets.moveDue(numbers(near), settings.limit(), handover);
        Map<Integer, List<DelayMessage>> taken = new TreeMap<>();
        int moved = 0;
        boolean isBacklog = false;
        for (Answer<ScanResult> answer : answers) {
            BucketScanner scanner = scanners.get(answer.bucket());
            if (answer.failure() != null) {
                failed(scanner, answer.failure());
                continue;
            }
            ScanResult result = answer.value();
            scanner.scanned(result, nanoTime.getAsLong());
            moved += result.moved();
            isBacklog |= result.nextDueMs() >= 0 && result.nextDueMs() <= result.nowMicros() / 1000;
            if (!result.taken().isEmpty()) {
                taken.put(answer.bucket(), result.taken());
            }
        }
        if (moved > 0) {
            pace.found(begunNanos, moved, isBacklog);
        }
        if (!taken.isEmpty()) {
            listener.taken(taken, handover.pulled(), sinceNanos);
        }
        answers.stream()
                .filter(answer -> answer.failure() == null)
                .forEach(answer -> answer.value().topics().forEach(topic -> listener.ready(answer.bucket(), topic)));
    }

    private void failed(BucketScanner scanner, RuntimeException why) {
        if (scanner.failed(why, nanoTime.getAsLong()) && failure == null) {
            failure = why;
        }
    }

    private void log(RuntimeException why) {
        if (why instanceof DelayException known && known.code().isOutage()) {
            // The package of the part that is away logs the outage.
            LOG.debug("The scan of a bucket failed", why);
        } else {
            outage.failed(why.toString(), why);
        }
    }

    private static List<Integer> numbers(List<BucketScanner> some) {
        return some.stream().map(BucketScanner::bucket).toList();
    }
}
