package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.bucket.BucketLostException;
import io.mykit.delay.queue.bucket.FencedException;
import io.mykit.delay.queue.bucket.IndexUnavailableException;

/**
 * The mark that a claim writes into a bucket and that a leader's calls carry.
 *
 * @param turn of the epoch; 0 = a leader that has not claimed
 */
record MemoryClaim(long epoch, int turn, String server) {
    /**
     * Lets the call pass, or throws as the fence of the scripts does.
     *
     * @param seen the claim in the bucket; null = it was lost
     * @param exactly whether a later claim of the same term refuses the call
     */
    void check(int bucket, MemoryClaim seen, boolean exactly) {
        if (seen != null && seen.epoch > epoch) {
            throw new FencedException(bucket, epoch, seen.epoch);
        }
        if (seen == null || seen.epoch < epoch) {
            throw new BucketLostException(bucket);
        }
        if (exactly && turn != 0 && turn != seen.turn) {
            throw new IndexUnavailableException("bucket " + bucket + " was claimed again", null);
        }
    }
}
