package io.mykit.delay.test.fault.history;

/** The fence of a bucket at some time (epoch milliseconds). Where it was missing, nothing was seen. */
public record EpochSeen(int bucket, long atMs, long epoch) {}
