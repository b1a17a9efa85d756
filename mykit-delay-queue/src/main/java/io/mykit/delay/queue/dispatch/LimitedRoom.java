package io.mykit.delay.queue.dispatch;

import io.mykit.delay.config.TopicLimits;
import java.util.function.LongSupplier;

/**
 * The room of a topic with a rate, a maximum of messages in flight, or both. For one thread at a time.
 *
 * <p>A message takes its token when the channel gets it. Until then its token is only reserved, and the bucket fills up no
 * further than with it. If the token were taken with the reservation, a batch that waits for the database could be sent at
 * the same moment as the next one, with the tokens of both.
 */
final class LimitedRoom implements TopicRoom {
    /** Null = no rate. */
    private final TokenBucket bucket;

    private final int concurrency;
    private final LongSupplier nanoTime;
    private int reserved;
    private int inFlight;

    /**
     * @param beginNanos the begin of the term by {@code nanoTime}. The bucket is empty then: an earlier leader may have used
     *     it up
     */
    LimitedRoom(TopicLimits limits, long beginNanos, LongSupplier nanoTime) {
        this.bucket = limits.rate() > 0 ? new TokenBucket(limits.rate(), beginNanos) : null;
        this.concurrency = limits.concurrency() > 0 ? limits.concurrency() : Integer.MAX_VALUE;
        this.nanoTime = nanoTime;
    }

    @Override
    public boolean isLimited() {
        return true;
    }

    @Override
    public int free() {
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
        if (bucket == null || inFlight + reserved >= concurrency) {
            return free() > 0 ? 0 : -1;
        }
        return bucket.nanosUntil(reserved + 1, nanoTime.getAsLong());
    }

    @Override
    public long nanosUntilWhole() {
        if (reserved + inFlight > 0) {
            return -1;
        }
        return bucket == null ? 0 : bucket.nanosUntilFull(nanoTime.getAsLong());
    }
}
