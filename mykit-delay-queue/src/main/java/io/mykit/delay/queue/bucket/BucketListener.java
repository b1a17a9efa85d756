package io.mykit.delay.queue.bucket;

/** Told that a bucket's earliest due time has come nearer. Must return at once. */
@FunctionalInterface
public interface BucketListener {
    void earlier(int bucket);
}
