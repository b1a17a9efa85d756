package io.mykit.delay.queue.dispatch;

import io.mykit.delay.config.TopicLimits;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The room of a topic with a rate, a maximum of messages in flight, both, or none, as long as operators give it none. For one thread
 * at a time.
 *
 * <p>A message takes its token when the channel gets it. Until then its token is only reserved, and the bucket fills up no
 * further than with it. If the token were taken with the reservation, a batch that waits for the database could be sent at
 * the same moment as the next one, with the tokens of both.
 */
final class LimitedRoom implements TopicRoom {
    private final Supplier<TopicLimits> limits;
    private final IntSupplier version;
    private final LongSupplier nanoTime;
    /** The version of the limits that are in use. */
    private int used;

    private TopicLimits current;
    /** Null = no rate. */
    private TokenBucket bucket;

    private int concurrency;
    private int reserved;
    private int inFlight;

    /**
     * Limits that stay as they are.
     *
     * @param beginNanos as below
     */
    LimitedRoom(TopicLimits limits, long beginNanos, LongSupplier nanoTime) {
        this(() -> limits, () -> 0, beginNanos, nanoTime);
    }

    /**
     * @param limits asked again after each change of {@code version}
     * @param beginNanos the begin of the term by {@code nanoTime}. The bucket is empty then: an earlier leader may have used
     *     it up
     */
    LimitedRoom(Supplier<TopicLimits> limits, IntSupplier version, long beginNanos, LongSupplier nanoTime) {
        this.limits = limits;
        this.version = version;
        this.nanoTime = nanoTime;
        this.used = version.getAsInt();
        use(limits.get(), beginNanos);
    }

    /** Another rate begins with an empty bucket: no moment has the tokens of both. */
    private void use(TopicLimits next, long emptyNanos) {
        if (current == null || current.rate() != next.rate()) {
            bucket = next.rate() > 0 ? new TokenBucket(next.rate(), emptyNanos) : null;
        }
        concurrency = next.concurrency() > 0 ? next.concurrency() : Integer.MAX_VALUE;
        current = next;
    }

    private void refresh() {
        int now = version.getAsInt();
        if (now != used) {
            used = now;
            use(limits.get(), nanoTime.getAsLong());
        }
    }

    /** Messages that were sent under limits which have ended since are still counted, until they are answered. */
    @Override
    public boolean isLimited() {
        refresh();
        return !current.isNone();
    }

    @Override
    public int free() {
        refresh();
        int tokens = bucket == null ? Integer.MAX_VALUE : bucket.level(nanoTime.getAsLong());
        return Math.min(tokens, concurrency - inFlight) - reserved;
    }

    @Override
    public void reserve(int messages) {
        reserved += messages;
    }

    @Override
    public void cancel(int messages) {
        reserved -= messages;
    }

    @Override
    public void sent(int messages) {
        reserved -= messages;
        inFlight += messages;
        if (bucket != null) {
            bucket.take(messages, nanoTime.getAsLong());
        }
    }

    @Override
    public void answered(int messages) {
        inFlight -= messages;
    }

    @Override
    public long nanosUntilFree() {
        refresh();
        if (bucket == null || inFlight + reserved >= concurrency) {
            return free() > 0 ? 0 : -1;
        }
        return bucket.nanosUntil(reserved + 1, nanoTime.getAsLong());
    }

    @Override
    public long nanosUntilWhole() {
        refresh();
        if (reserved + inFlight > 0) {
            return -1;
        }
        return bucket == null ? 0 : bucket.nanosUntilFull(nanoTime.getAsLong());
    }
}
