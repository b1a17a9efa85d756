package io.mykit.delay.queue.bucket;

import java.util.Optional;

/**
 * A hold of a message, for people.
 *
 * @param untilMs its end, epoch milliseconds
 * @param receipt what its receipt tells; empty = nothing
 */
public record Hold(long untilMs, Optional<HoldReceipt> receipt) {}
