package io.mykit.delay.queue.bucket;

/** A bucket has seen a higher epoch: whoever carries the lower one no longer leads. */
public class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public FencedException(int bucket, long mine, long seen) {
        super("bucket " + bucket + " has seen epoch " + seen + ", mine is " + mine);
    }
}
