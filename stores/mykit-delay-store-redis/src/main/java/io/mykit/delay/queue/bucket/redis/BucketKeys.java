package io.mykit.delay.queue.bucket.redis;

import java.nio.charset.StandardCharsets;

/** The keys of one bucket, as byte arrays that no caller may change. Immutable. */
final class BucketKeys {
    final int bucket;
    /** Sorted set: topics by the due time of their first waiting message, or an earlier time. */
    final byte[] heads;
    /** Hash: id to message. */
    final byte[] pool;
    /** Set: topics whose ready list is not empty. */
    final byte[] topics;
    /** Sorted set: taken ids by lease deadline. */
    final byte[] lease;
    /** String: the last claim, with the highest epoch that the bucket has seen. */
    final byte[] epoch;
    /** Hash: id to an outcome that is not in the store yet. */
    final byte[] parked;
    /** String: the number of ghosts, entries of ready lists without effect; the scripts name it themselves. */
    final byte[] ghosts;
    /** Sorted set: vetoed ids by the end of their veto; its fraction counts the calls that need it. */
    final byte[] vetoes;
    /** Hash: vetoed id to the highest vetoed version; missing for the first version. */
    final byte[] vetoedVersions;
    /** String: exists while the bucket must be restored or compared. */
    final byte[] restoring;
    /** String: exists while messages may be under a lease without being in the pool, after the bucket lost data. */
    final byte[] retaken;
    /** String: exists when the queue does not use this bucket any more, because the number of buckets has changed. */
    final byte[] closed;
    /** This key never exists: overwriting it shows whether the server takes writes. */
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
        this.ghosts = key("ghosts");
        this.vetoes = key("vetoes");
        this.vetoedVersions = key("vetoed-versions");
        this.restoring = key("restoring");
        this.retaken = key("retaken");
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

    /** Hash: id to the receipt of its hold. The scripts name it themselves. */
    byte[] held(String topic) {
        return key("held:" + topic);
    }

    private byte[] key(String what) {
        return (base + what).getBytes(StandardCharsets.UTF_8);
    }
}
