package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Loop;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Extends the leases of messages in flight when half of their time has passed, so that a send may take longer than a lease.
 * One thread.
 *
 * <p>If Redis does not answer, the leases stay as they are, and the next run tries again. If a lease ends meanwhile, what has not been sent
 * under it is not sent any more ({@link Flight#isLeased}). Its message stays taken until its fate is known ({@link LeaseReaper}).
 */
final class LeaseExtender implements Loop {
    private final Flights flights;
    private final OwnedBuckets buckets;
    private final LeaseClock leases;
    private final Duration lease;

    LeaseExtender(Flights flights, OwnedBuckets buckets, LeaseClock leases, Duration lease) {
        this.flights = flights;
        this.buckets = buckets;
        this.leases = leases;
        this.lease = lease;
    }

    @Override
    public Duration runOnce() {
        for (Flight flight : flights.open()) {
            List<Leased> ending =
                    flight.open().stream().filter(leases::isHalfOver).toList();
            if (!ending.isEmpty()) {
                long untilNanos = leases.untilNanos();
                Set<Integer> extended = buckets.extend(Leased.idsByBucket(ending), lease);
                flight.extended(
                        ending.stream()
                                .filter(leased -> extended.contains(leased.bucket()))
                                .toList(),
                        untilNanos);
            }
        }
        return lease.dividedBy(8);
    }
}
