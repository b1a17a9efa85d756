package io.mykit.delay.queue.bucket.redis;

import java.nio.charset.StandardCharsets;

/** The keys of one bucket, as bytes that are not to be changed. Immutable. */
final class BucketKeys {
    final int bucket;
    /** Sorted set: topic by the due time of its first waiting message, or sooner. */
    final byte[] heads;
    /** Hash: id to message. */
    final byte[] pool;
    /** Set: topics whose ready list is not empty. */
    final byte[] topics;
    /** Sorted set: taken ids by lease deadline. */
    final byte[] lease;
    /** String: highest leader epoch seen. */
    final byte[] epoch;
    /** Hash: id to outcome that the store has yet to learn. */
    final byte[] parked;
    /** Sorted set: ids that are not to be scheduled, by the time at which that ends. */
    final byte[] vetoes;
    /** Hash: up to which version a vetoed id is not to be scheduled, where that is not the first one. */
    final byte[] vetoedVersions;
    /** String: there while the bucket is being restored. */
    final byte[] restoring;
    /** String: there when the queue has left this bucket because it has more or fewer of them now. */
    final byte[] closed;
    /** Nothing is ever there: deleting it shows whether the server takes writes. */
    final byte[] probe;

    private final String base;

    BucketKeys(int bucket, String base) {
        this.bucket = bucket;
        this.base = base;
        this.heads = key("heads");
        this.pool = key("pool");
        this.topics = key("topics");
        this.lease = key("lease");
        this.epoch = key("epoch");
        this.parked = key("parked");
        this.vetoes = key("vetoes");
        this.vetoedVersions = key("vetoed-versions");
        this.restoring = key("restoring");
        this.closed = key("closed");
        this.probe = key("probe");
    }

    /** Sorted set: waiting ids of a topic by due time. */
    byte[] waiting(String topic) {
        return key("waiting:" + topic);
    }

    /** List: due ids of a topic, oldest first. */
    byte[] ready(String topic) {
        return key("ready:" + topic);
    }

    private byte[] key(String what) {
        return (base + what).getBytes(StandardCharsets.UTF_8);
    }
}
