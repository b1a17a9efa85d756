/**
 * The index of messages that are due soon, for the other packages: waiting messages by due time, ready messages, and
 * messages under a lease. {@link io.mykit.delay.queue.bucket.MessageIndex} has the calls for any node, {@link
 * io.mykit.delay.queue.bucket.HoldIndex} those on messages that consumers pull. {@link
 * io.mykit.delay.queue.bucket.OwnedBucket} has the calls for the leader that has claimed a bucket. The other types are
 * their values and exceptions. The package knows no database. {@code bucket.redis} implements it.
 *
 * <p>Any thread may call it.
 */
package io.mykit.delay.queue.bucket;
