package io.mykit.delay.queue.bucket;

import java.util.Optional;

/**
 * A hold of a message, for people.
 *
 * @param untilMs its end, epoch milliseconds
 * @param receipt what its receipt tells; empty = nothing
 */
public record Hold(long untilMs, Optional<HoldReceipt> receipt) {
    /** The receipt as the consumer got it; see {@link HoldReceipt#forConsumer}. Empty = nothing is known of it. */
    public Optional<String> forConsumer(int version, int attempts) {
        return receipt.map(known -> HoldReceipt.forConsumer(known.text(), version, attempts));
    }
}
