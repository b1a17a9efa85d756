package io.mykit.delay.queue.leader;

/** The source of epochs for a standalone node. */
@FunctionalInterface
public interface EpochSource {
    /**
     * Returns a number greater than all numbers that any process got before. Throws if the source cannot be reached now.
     */
    long next();
}
