package io.mykit.delay.queue.bucket;

/** Is called when a bucket's earliest due time has come nearer. It must return at once. */
@FunctionalInterface
public interface BucketListener {
    void earlier(int bucket);
}
