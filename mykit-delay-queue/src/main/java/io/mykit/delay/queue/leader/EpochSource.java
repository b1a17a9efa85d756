package io.mykit.delay.queue.leader;

/** Where a standalone node gets its epoch. */
@FunctionalInterface
public interface EpochSource {
    /** A number greater than every one returned before, by any process. Throws if it cannot be had right now. */
    long next();
}
