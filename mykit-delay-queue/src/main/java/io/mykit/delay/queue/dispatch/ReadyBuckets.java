package io.mykit.delay.queue.dispatch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The buckets that have ready messages of one topic. For one thread at a time. */
final class ReadyBuckets {
    private final Set<Integer> some = new LinkedHashSet<>();
    /** The buckets with more than a batch; none if the topic is limited. */
    private final Set<Integer> deep = new LinkedHashSet<>();

    /** The bucket may have ready messages. */
    void offer(int bucket) {
        if (!deep.contains(bucket)) {
            some.add(bucket);
        }
    }

    /** The bucket has more ready messages than its batch took. */
    void offerMore(int bucket, boolean limited) {
        some.remove(bucket);
        (limited ? some : deep).add(bucket);
    }

    boolean isEmpty() {
        return some.isEmpty() && deep.isEmpty();
    }

    /** Whether there are buckets for a batch that gathers. */
    boolean hasSome() {
        return !some.isEmpty();
    }

    boolean hasDeep() {
        return !deep.isEmpty();
    }

    /** Removes at most so many of the buckets for a batch that gathers. */
    List<Integer> remove(int most) {
        return removeFirst(some, most);
    }

    /** Removes a bucket with more than a batch. */
    List<Integer> removeDeep() {
        return removeFirst(deep, 1);
    }

    private static List<Integer> removeFirst(Set<Integer> buckets, int most) {
        List<Integer> first = buckets.stream().limit(most).toList();
        first.forEach(buckets::remove);
        return first;
    }
}
