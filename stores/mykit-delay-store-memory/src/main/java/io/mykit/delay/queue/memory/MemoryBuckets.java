package io.mykit.delay.queue.memory;

import io.mykit.delay.queue.bucket.BucketListener;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.ReadyListener;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The data that the nodes of an in-memory index share, and the faults that a test can cause: buckets can be silent ({@link
 * #silence}), lose their data ({@link #lose}), lose an answer ({@link #loseNextAnswer}), or come back on another server ({@link
 * #restartServer}). Thread-safe: calls take turns.
 */
public final class MemoryBuckets {
    private final List<MemoryBucket> buckets;
    private final List<BucketListener> listeners = new CopyOnWriteArrayList<>();
    private final List<ReadyListener> readyListeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> topicListeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> retryListeners = new CopyOnWriteArrayList<>();
    private final Set<Integer> silent = new TreeSet<>();
    private final MemoryNotes notes = new MemoryNotes();
    private MemoryLimits limits;
    private int servers;
    private boolean steady = true;
    private long aheadElsewhereMs;
    private Runnable beforeAnswer;

    public MemoryBuckets(int buckets) {
        this.buckets = IntStream.range(0, buckets).mapToObj(MemoryBucket::new).toList();
    }

    /** The notes of the nodes, which are in no bucket. */
    public MemoryNotes notes() {
        return notes;
    }

    /** The limits that all nodes share; the clock of the first caller is that of all. */
    public synchronized MemoryLimits limits(InstantSource clock) {
        if (limits == null) {
            limits = new MemoryLimits(clock);
        }
        return limits;
    }

    /** Calls on these buckets fail, and change nothing; on the others they work. */
    public synchronized void silence(Integer... some) {
        silent.clear();
        silent.addAll(List.of(some));
    }

    /** The next call of an owner is made, but the caller does not get the answer. */
    public void loseNextAnswer() {
        beforeNextAnswer(() -> {
            throw new IndexUnavailableException("the answer was lost", null);
        });
    }

    /** Is run when the next call of an owner was made, before the caller gets the answer: it may wait, or throw. */
    public synchronized void beforeNextAnswer(Runnable hook) {
        beforeAnswer = hook;
    }

    /** The data of a bucket are gone. */
    public synchronized void lose(int bucket) {
        buckets.get(bucket).lose();
    }

    /** The messages of a bucket that wait or are ready do so no longer: they are in no place. */
    public synchronized void losePlaces(int bucket) {
        buckets.get(bucket).losePlaces();
    }

    /** The leases of a bucket are gone; their messages stay in the pool. */
    public synchronized void loseLeases(int bucket) {
        buckets.get(bucket).loseLeases();
    }

    /** Another server answers from now on, with the same data. */
    public synchronized void restartServer() {
        servers++;
    }

    /** Sets whether all nodes use the same servers. */
    public synchronized void setSteady(boolean isSteady) {
        steady = isSteady;
    }

    /** Sets how far the clock of another server is ahead. */
    public synchronized void setAheadElsewhere(Duration ahead) {
        aheadElsewhereMs = ahead.toMillis();
    }

    synchronized long aheadElsewhereMs() {
        return aheadElsewhereMs;
    }

    synchronized boolean isSteady() {
        return steady;
    }

    /** Remembers the claim of a bucket; the result sets it back. */
    public synchronized Runnable rememberClaim(int bucket) {
        MemoryClaim claim = buckets.get(bucket).claim;
        return () -> {
            synchronized (this) {
                buckets.get(bucket).claim = claim;
            }
        };
    }

    /** All there is. */
    @Override
    public synchronized String toString() {
        return buckets.toString();
    }

    int size() {
        return buckets.size();
    }

    synchronized String server() {
        return "server-" + servers;
    }

    synchronized Set<Integer> silent() {
        return new TreeSet<>(silent);
    }

    void add(BucketListener listener) {
        listeners.add(listener);
    }

    void remove(Collection<BucketListener> some) {
        listeners.removeAll(some);
    }

    void add(ReadyListener listener) {
        readyListeners.add(listener);
    }

    void addTopics(Runnable listener) {
        topicListeners.add(listener);
    }

    /** Tells all listeners but these. */
    void tellTopics(Collection<Runnable> but) {
        topicListeners.stream().filter(listener -> !but.contains(listener)).forEach(Runnable::run);
    }

    void addRetry(Consumer<String> listener) {
        retryListeners.add(listener);
    }

    /** Tells all listeners but these. */
    void tellRetry(String topic, Collection<Consumer<String>> but) {
        retryListeners.stream().filter(listener -> !but.contains(listener)).forEach(listener -> listener.accept(topic));
    }

    void removeReady(Collection<ReadyListener> some) {
        readyListeners.removeAll(some);
    }

    void tellReady(int bucket, String topic) {
        readyListeners.forEach(listener -> listener.ready(bucket, topic));
    }

    /** A call of any node on one bucket. */
    <T> T call(int bucket, Function<MemoryBucket, T> call) {
        T result;
        boolean earlier;
        synchronized (this) {
            if (silent.contains(bucket)) {
                throw new IndexUnavailableException("bucket " + bucket + " is silent", null, Set.of(bucket));
            }
            MemoryBucket called = buckets.get(bucket);
            double before = called.earliest();
            result = call.apply(called);
            earlier = called.earliest() < before;
        }
        if (earlier) {
            listeners.forEach(listener -> listener.earlier(bucket));
        }
        return result;
    }

    /** A call of an owner, whose answer may be lost. */
    <T> T ownerCall(int bucket, Function<MemoryBucket, T> call) {
        T result = call(bucket, call);
        Runnable hook;
        synchronized (this) {
            hook = beforeAnswer;
            beforeAnswer = null;
        }
        if (hook != null) {
            hook.run();
        }
        return result;
    }

    /** Calls on several buckets: all, or none and an exception that names those that failed. */
    <T> List<T> callAll(Collection<Integer> several, Function<MemoryBucket, T> call) {
        Set<Integer> failed = silent();
        failed.retainAll(several);
        if (!failed.isEmpty()) {
            throw new IndexUnavailableException("buckets " + failed + " are silent", null, failed);
        }
        List<T> results = new ArrayList<>();
        several.forEach(bucket -> results.add(call(bucket, call)));
        return results;
    }
}
