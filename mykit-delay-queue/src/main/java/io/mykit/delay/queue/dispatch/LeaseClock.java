package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.time.ElapsedTime;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Tells how old leases and looks at rows are. Its time also passes while the machine is suspended. Thread-safe; does not block.
 */
final class LeaseClock {
    /** If the check of the rows is older than this, it is repeated: the process may have been frozen since. */
    private static final Duration FRESH = Duration.ofSeconds(1);
    /** More than the difference of this clock and the one by which leases are given back, and than the time from a check to a call. */
    private static final Duration DOUBTFUL = Duration.ofSeconds(1);

    private final LongSupplier elapsed;
    private final Duration lease;
    private final Duration send;

    /**
     * @param elapsed as {@link ElapsedTime}
     * @param lease the length of a lease
     */
    LeaseClock(LongSupplier elapsed, Duration lease) {
        this.elapsed = elapsed;
        this.lease = lease;
        // The margin is at least the send timeout (see delivery.lease): a message that is sent now is answered before
        // its lease ends.
        this.send = lease.dividedBy(5);
    }

    /** The time now, nanoseconds. */
    long nanos() {
        return elapsed.getAsLong();
    }

    /** A lease that the index gives after this call lasts at least until then. */
    long untilNanos() {
        return nanos() + lease.toNanos();
    }

    /** Whether a look at rows is young enough for a send. */
    boolean isFresh(long lookedNanos) {
        return nanos() - lookedNanos <= FRESH.toNanos();
    }

    /** Whether a message that is sent now is answered before its lease ends. */
    boolean coversSend(Leased leased) {
        return lasts(leased, send);
    }

    /** Whether at least half of the lease is over. */
    boolean isHalfOver(Leased leased) {
        return !lasts(leased, lease.dividedBy(2));
    }

    /**
     * The messages whose leases have not ended, so that this leader may give them back or drop them by their ids. An ended lease is given back by the
     * {@link LeaseReaper} alone: another batch may have taken the message since, and its lease has the same id.
     */
    List<Leased> held(Collection<Leased> messages) {
        return messages.stream().filter(leased -> lasts(leased, DOUBTFUL)).toList();
    }

    /** The ids of {@link #held}, by bucket. */
    Map<Integer, List<String>> heldIds(Collection<Leased> messages) {
        return Leased.idsByBucket(held(messages));
    }

    /** Whether the lease lasts longer than this margin. */
    boolean lasts(Leased leased, Duration margin) {
        return leased.untilNanos() - nanos() > margin.toNanos();
    }
}
