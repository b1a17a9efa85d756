package io.mykit.delay.queue.bucket;

/** A bucket has seen a higher epoch: the leader with the lower one was succeeded, and its term is over. */
public final class FencedException extends NotOwnedException {
    private static final long serialVersionUID = 1L;

    public FencedException(int bucket, long mine, long seen) {
        super("bucket " + bucket + " has seen epoch " + seen + ", mine is " + mine);
    }
}
