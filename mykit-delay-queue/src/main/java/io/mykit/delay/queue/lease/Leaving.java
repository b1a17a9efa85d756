package io.mykit.delay.queue.lease;

import io.mykit.delay.queue.bucket.HoldIndex;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The messages that this node still sends when its term ends. Their leases become holds with a receipt of this node, so the next leader
 * leaves them alone while this node extends the holds. {@link OwnedBuckets#settle}, {@code park}, {@code postpone} and {@code release} then work
 * by the receipt and need no leadership. If this node dies, the holds end, and the next leader delivers the messages. Thread-safe.
 */
public final class Leaving {
    /** A Redis that is silent must not hold up the release of leadership, bucket by bucket. */
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private final HoldIndex holds;
    private final TermBucket[] buckets;

    Leaving(HoldIndex holds, TermBucket[] buckets) {
        this.holds = holds;
        this.buckets = buckets;
    }

    /** The number of messages that batches of this term have: in delivery, or with an outcome that is not recorded yet. */
    public int underWay() {
        return Arrays.stream(buckets).mapToInt(bucket -> bucket.known().count()).sum();
    }

    /**
     * Turns the leases of these messages into holds. A bucket that does not answer or has another leader is passed over: that leader gives
     * its messages back. Takes a few seconds at most.
     *
     * @param hold from now
     */
    public void leave(Duration hold) {
        String receipt = "left-" + UUID.randomUUID();
        each(bucket -> bucket.ownership().alone(() -> {
            bucket.known().leave(bucket, new LeftMessages(holds, receipt), hold);
            return null;
        }));
    }

    /** Extends the holds. A bucket that does not answer is passed over. */
    public void renew(Duration hold) {
        each(bucket -> bucket.known().renew(hold));
    }

    private void each(Consumer<TermBucket> call) {
        Failures failures = new Failures();
        long beginNanos = System.nanoTime();
        for (TermBucket bucket : buckets) {
            if (System.nanoTime() - beginNanos > LONGEST.toNanos()) {
                break;
            }
            try {
                call.accept(bucket);
            } catch (RuntimeException e) {
                failures.met(e);
            }
        }
        failures.rethrow();
    }
}
