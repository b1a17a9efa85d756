package io.mykit.delay.queue.bucket;

/** A bucket has seen a higher epoch: a newer leader has succeeded the caller, and the term of the caller has ended. */
public final class FencedException extends NotOwnedException {
    private static final long serialVersionUID = 1L;

    public FencedException(int bucket, long mine, long seen) {
        super("bucket " + bucket + " belongs to epoch " + seen + ", this leader has epoch " + mine);
    }
}
