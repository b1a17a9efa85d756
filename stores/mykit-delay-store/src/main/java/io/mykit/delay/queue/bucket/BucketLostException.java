package io.mykit.delay.queue.bucket;

/**
 * The leader must claim a bucket again: Redis lost its epoch, or another Redis process answers now than the process of the
 * last claim.
 */
public final class BucketLostException extends NotOwnedException {
    private static final long serialVersionUID = 1L;

    public BucketLostException(int bucket) {
        super("bucket " + bucket + " is lost and must be claimed again");
    }
}
