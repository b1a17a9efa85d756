package io.mykit.delay.queue.bucket.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Items of one bucket, for one script call. */
record BucketChunk<T>(BucketKeys bucket, List<T> items) {
    /**
     * Divides items by their buckets; the items of a bucket stay in order.
     *
     * @param most the number of items in one chunk
     */
    static <T> List<BucketChunk<T>> of(RedisKeys keys, Collection<T> items, Function<T, String> idOf, int most) {
        Map<Integer, BucketChunk<T>> open = new HashMap<>();
        List<BucketChunk<T>> chunks = new ArrayList<>();
        for (T item : items) {
            int bucket = keys.bucketOf(idOf.apply(item));
            BucketChunk<T> chunk = open.computeIfAbsent(bucket, b -> new BucketChunk<>(keys.of(b), new ArrayList<>()));
            chunk.items.add(item);
            if (chunk.items.size() == most) {
                chunks.add(open.remove(bucket));
            }
        }
        chunks.addAll(open.values());
        return chunks;
    }

    static <T> List<Integer> buckets(List<BucketChunk<T>> chunks) {
        return chunks.stream().map(chunk -> chunk.bucket.bucket).toList();
    }
}
