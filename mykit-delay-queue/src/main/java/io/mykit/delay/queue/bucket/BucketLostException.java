package io.mykit.delay.queue.bucket;

/** A bucket's epoch is missing: Redis lost it, and it must be claimed and restored. */
public class BucketLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int bucket;

    public BucketLostException(int bucket) {
        super("bucket " + bucket + " is lost");
        this.bucket = bucket;
    }

    public int bucket() {
        return bucket;
    }
}
