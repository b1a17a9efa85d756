package io.mykit.delay.queue.memory;

import java.util.function.Function;

/** The calls that an owned bucket makes on the node's index. */
interface MemoryOwnerCalls {
    /** @param exactly whether a later claim of the same term refuses the call */
    <T> T asOwner(int bucket, long epoch, boolean exactly, Function<MemoryBucket, T> call);

    <T> T read(int bucket, Function<MemoryBucket, T> call);

    void tellReady(int bucket, String topic);

    /** Epoch milliseconds. */
    long timeMs();
}
