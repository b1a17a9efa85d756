package io.mykit.delay.queue.bucket;

/** A bucket must be claimed again: Redis lost its epoch, or another Redis process answers than the one that was claimed on. */
public final class BucketLostException extends NotOwnedException {
    private static final long serialVersionUID = 1L;

    public BucketLostException(int bucket) {
        super("bucket " + bucket + " is lost");
    }
}
