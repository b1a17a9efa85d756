/**
 * The leader's work of one term, put together: {@code BucketWork} for the buckets that the leader owns, {@code QueueWork} for the
 * queue as a whole. They are apart because buckets will one day belong to different nodes. The package knows the others, and none
 * of them knows it.
 */
package io.mykit.delay.queue.duty;
