package io.mykit.delay.queue.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class BucketBackoffTest {
    private static final Duration INTERVAL = Duration.ofSeconds(15);

    private final AtomicLong nanos = new AtomicLong();
    private final List<OwnedBucket> owned = List.of(bucket(0), bucket(1), bucket(2));
    private final Set<Integer> silent = new TreeSet<>(Set.of(1));
    private final List<Integer> called = new ArrayList<>();
    private final BucketBackoff buckets = new BucketBackoff("Test", index(), nanos::get);

    @Test
    void oneThatFailsStopsNoOtherAndRests() {
        buckets.each(owned, this::call);
        assertThat(called).containsExactly(0, 1, 2);
        assertThat(buckets.isResting(1)).isTrue();
        assertThat(buckets.pause(INTERVAL)).isBetween(Duration.ofMillis(100), Duration.ofMillis(500));
        called.clear();
        buckets.each(owned, this::call);
        assertThat(called).containsExactly(0, 2);
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        silent.clear();
        buckets.each(owned, this::call);
        assertThat(called).containsExactly(0, 2, 0, 1, 2);
        assertThat(buckets.isResting(1)).isFalse();
        assertThat(buckets.pause(INTERVAL)).isEqualTo(INTERVAL);
    }

    @Test
    void itRestsLongerAndLongerUpToFiveSeconds() {
        for (int i = 0; i < 20; i++) {
            buckets.each(owned, this::call);
            nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        }
        buckets.each(owned, this::call);
        assertThat(buckets.pause(INTERVAL)).isBetween(Duration.ofMillis(2_500), Duration.ofSeconds(5));
    }

    @Test
    void ifNoneIsServedTheLoopAsAWholeFails() {
        silent.addAll(List.of(0, 2));
        assertThatThrownBy(() -> buckets.each(owned, this::call)).isInstanceOf(IndexUnavailableException.class);
    }

    @Test
    void aBucketThatIsNotOwnedAnyMoreIsLeftToItsScanner() {
        silent.clear();
        buckets.each(owned, bucket -> {
            called.add(bucket.bucket());
            if (bucket.bucket() == 0) {
                throw new BucketLostException(0);
            }
        });
        assertThat(called).containsExactly(0, 1, 2);
        assertThat(buckets.isResting(0)).isFalse();
    }

    @Test
    void rowsOfSilentBucketsAreLeftOut() {
        List<String> rows = List.of("0", "1", "2", "1");
        assertThat(buckets.served(rows, Function.identity(), this::callRows)).containsExactly("0", "2");
        assertThat(called).as("once with all, once without").containsExactly(0, 1, 2, 1, 0, 2);
        called.clear();
        assertThat(buckets.served(rows, Function.identity(), this::callRows)).containsExactly("0", "2");
        assertThat(buckets.served(List.of("1"), Function.identity(), this::callRows))
                .as("others are served")
                .isEmpty();
        assertThat(called).containsExactly(0, 2);
        silent.addAll(List.of(0, 2));
        assertThatThrownBy(() -> buckets.served(rows, Function.identity(), this::callRows))
                .isInstanceOf(IndexUnavailableException.class);
        assertThat(buckets.served(List.<String>of(), Function.identity(), this::callRows))
                .isEmpty();
    }

    @Test
    void aFailureThatNamesNoBucketIsTheCallers() {
        assertThatThrownBy(() -> buckets.served(List.of("0"), Function.identity(), some -> {
                    throw new IndexUnavailableException("of all", null);
                }))
                .hasMessage("of all");
    }

    private void call(OwnedBucket bucket) {
        called.add(bucket.bucket());
        if (silent.contains(bucket.bucket())) {
            throw new IndexUnavailableException("silent", null);
        }
    }

    private void callRows(List<String> rows) {
        rows.forEach(row -> called.add(Integer.valueOf(row)));
        Set<Integer> failed = new TreeSet<>(silent);
        failed.retainAll(rows.stream().map(Integer::valueOf).toList());
        if (!failed.isEmpty()) {
            throw new IndexUnavailableException("silent", null, failed);
        }
    }

    /** Three buckets; a row's id is the number of its bucket. */
    private MessageIndex index() {
        return (MessageIndex) Proxy.newProxyInstance(
                MessageIndex.class.getClassLoader(),
                new Class<?>[] {MessageIndex.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "buckets" -> 3;
                    case "bucketOf" -> Integer.valueOf((String) arguments[0]);
                    case "refusing" -> Set.copyOf(silent);
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static OwnedBucket bucket(int number) {
        return (OwnedBucket) Proxy.newProxyInstance(
                OwnedBucket.class.getClassLoader(),
                new Class<?>[] {OwnedBucket.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "bucket" -> number;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }
}
