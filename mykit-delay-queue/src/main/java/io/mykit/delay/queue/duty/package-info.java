/**
 * The leader's work of one term: {@code BucketWork} for the buckets that the leader owns, {@code QueueWork} for the queue as
 * a whole. They are separate because buckets will belong to different nodes one day. This package uses the other packages,
 * and none of them uses it.
 */
package io.mykit.delay.queue.duty;
