package io.mykit.delay.queue.bucket.redis;

import io.mykit.delay.queue.redis.Replies;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The names of all keys. The keys of one bucket share a hash tag, {@code <prefix>:{<name>:<bucket>/<buckets>}:<what>}. So
 * one script may use all of them, also on Redis Cluster, and bucket 3 of 8 is never bucket 3 of 16. Immutable.
 */
final class RedisKeys {
    /** The bound of the configuration. */
    private static final int MAX_BUCKETS = 1024;

    private final String prefix;
    private final String name;
    private final BucketKeys[] buckets;

    /**
     * @throws IllegalArgumentException if prefix or name would break the hash tag, or the number of buckets is out of range
     */
    RedisKeys(String prefix, String name, int count) {
        this.prefix = withoutBraces("mykit.delay.queue.prefix", prefix);
        this.name = withoutBraces("mykit.delay.queue.name", name);
        if (count < 1 || count > MAX_BUCKETS) {
            throw new IllegalArgumentException(
                    "mykit.delay.queue.buckets is " + count + ", must be from 1 to " + MAX_BUCKETS);
        }
        this.buckets = new BucketKeys[count];
        for (int b = 0; b < count; b++) {
            buckets[b] = new BucketKeys(b, prefix + ":{" + name + ":" + b + "/" + count + "}:");
        }
    }

    int buckets() {
        return buckets.length;
    }

    /** The same queue with another number of buckets. */
    RedisKeys with(int count) {
        return new RedisKeys(prefix, name, count);
    }

    /** String: the number of buckets of the queue. */
    byte[] layout() {
        return (prefix + ":{" + name + "}:layout").getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The bucket of an id: CRC-32C (RFC 3720, appendix B.4) of its UTF-8 bytes, modulo the number of buckets. The data in
     * Redis depends on this function: it must never change.
     */
    int bucketOf(byte[] id) {
        return (int) (hash(id) % buckets.length);
    }

    static long hash(byte[] id) {
        CRC32C crc = new CRC32C();
        crc.update(id, 0, id.length);
        return crc.getValue();
    }

    int bucketOf(String id) {
        return bucketOf(Replies.bytes(id));
    }

    /** @throws IndexOutOfBoundsException if there is no such bucket */
    BucketKeys of(int bucket) {
        return buckets[bucket];
    }

    /** Hash: node to the note about it. */
    byte[] notes() {
        return ofQueue("nodes");
    }

    /** List: the samples of a node, the oldest first. */
    byte[] samples(String node) {
        return ofQueue("samples:" + node);
    }

    /** List: the samples of a topic's minutes on a node, the oldest first. */
    byte[] minutes(String node, String topic) {
        return ofQueue("minutes:" + node + ":" + topic);
    }

    /** List: the last calls that acted on the queue, the newest last. */
    byte[] calls() {
        return ofQueue("calls");
    }

    /** List: the last calls of operators that were refused, the newest last. */
    byte[] refusals() {
        return ofQueue("refusals");
    }

    /** Set: the work of a node that operators asked to stop. */
    byte[] stops(String node) {
        return ofQueue("stops:" + node);
    }

    /** String: the time until which the items of a rate are taken. Each has a hash tag of its own, so they spread over the servers. */
    byte[] rate(String owner) {
        return own("rate/" + owner);
    }

    /** Sorted set: the topics of a namespace that were pushed to, by the time of the last notice. */
    byte[] topicsOf(String namespace) {
        return own("topics/" + namespace);
    }

    private byte[] own(String what) {
        return (prefix + ":{" + name + ":" + what + "}").getBytes(StandardCharsets.UTF_8);
    }

    private byte[] ofQueue(String what) {
        return (prefix + ":{" + name + "}:" + what).getBytes(StandardCharsets.UTF_8);
    }

    /** The pub/sub channel on which nodes tell each other that a bucket's earliest due time has come nearer. */
    byte[] wakeChannel() {
        return (prefix + ":{" + name + "}:wake").getBytes(StandardCharsets.UTF_8);
    }

    /** For each bucket, a key that never exists. */
    List<byte[]> probes() {
        return Arrays.stream(buckets).map(bucket -> bucket.probe).toList();
    }

    private static String withoutBraces(String key, String value) {
        if (value.isEmpty() || value.indexOf('{') >= 0 || value.indexOf('}') >= 0) {
            throw new IllegalArgumentException(key + " is '" + value + "', must be a non-empty text without { and }");
        }
        return value;
    }
}
