package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.BodyBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The state of one topic: the buckets with ready messages, the number of batches under way, and whether the topic backs off.
 * Thread-safe.
 *
 * <p>A batch begins with {@link #next} and ends with {@link #ended}. Messages that arrive a few at a time are gathered: one
 * batch gets the messages that the scanners took, and takes from all buckets with ready messages. The next batch begins when
 * this one is {@link #complete}, that is, when its rows have been checked. It does not wait until this one has been sent, so
 * a slow broker does not delay it. After a batch of several messages, the next one collects 2 ms later at the earliest: a
 * batch costs two round trips whatever its size, and four messages that share them all arrive sooner than four messages with
 * round trips of their own. A message that comes alone never waits. A bucket that holds more than a batch gets batches of its
 * own, and several such buckets are taken at the same time.
 *
 * <p>After a failure, one batch of a single message probes the topic. The other batches follow when the probe has succeeded.
 */
final class TopicTraffic {
    private static final Duration GATHER_TIME = Duration.ofMillis(2);
    /** After a batch of at most so many messages, the next one does not wait. */
    private static final int MAX_TRICKLE = 2;
    /** The maximum of characters in the bodies that wait here for their batch. */
    private static final long MAX_HANDED_BODIES = BodyBounds.TOGETHER;

    private final int maxInFlight;
    private final int maxHanded;
    private final LongSupplier nanoTime;
    private final LongConsumer parkNanos;
    private List<Leased> handed = new ArrayList<>();
    private long handedBodies;
    private final Set<Integer> ready = new LinkedHashSet<>();
    private final Set<Integer> deep = new LinkedHashSet<>();
    private boolean gathering;
    /** The next batch waits for more messages until this time of {@link #nanoTime}. */
    private long gatherUntilNanos;

    private int inFlight;
    private int failures;
    /** The time of the last failure by {@link #nanoTime}; long ago at first. */
    private long failedNanos;

    private boolean paused;

    /**
     * @param maxInFlight the maximum of batches under way
     * @param maxHanded the maximum of messages that wait here
     * @param parkNanos lets the current thread wait
     */
    TopicTraffic(int maxInFlight, int maxHanded, LongSupplier nanoTime, LongConsumer parkNanos) {
        this.maxInFlight = maxInFlight;
        this.maxHanded = maxHanded;
        this.nanoTime = nanoTime;
        this.parkNanos = parkNanos;
        this.gatherUntilNanos = nanoTime.getAsLong();
        this.failedNanos = gatherUntilNanos - Long.MAX_VALUE / 2;
    }

    /** Records that this bucket may have ready messages. */
    synchronized void offer(int bucket) {
        if (!deep.contains(bucket)) {
            ready.add(bucket);
        }
    }

    /** Records that this bucket has more than one batch of ready messages. */
    synchronized void offerMore(int bucket) {
        ready.remove(bucket);
        deep.add(bucket);
    }

    /** Whether the scanners may take messages of this topic, to hand them over. */
    synchronized boolean takesMore() {
        return !paused
                && failures == 0
                && deep.isEmpty()
                && handed.size() < maxHanded
                && handedBodies < MAX_HANDED_BODIES;
    }

    /**
     * Accepts messages that the scanner took. Returns false if the topic backs off; then the messages must be given back.
     */
    synchronized boolean hand(List<Leased> messages) {
        if (paused || failures > 0) {
            return false;
        }
        messages.forEach(leased -> handedBodies += leased.message().characters());
        return handed.addAll(messages);
    }

    /** Returns the next batch; null = no batch may begin now. */
    synchronized Claim next() {
        boolean probing = failures > 0;
        if (paused || inFlight >= maxInFlight || (probing && inFlight > 0)) {
            return null;
        }
        // Batches that gather go first: behind a backlog, their messages would wait until the backlog ends.
        if (!gathering && !(handed.isEmpty() && ready.isEmpty())) {
            inFlight++;
            gathering = true;
            return new Claim(true, probing, List.of());
        }
        if (!deep.isEmpty()) {
            inFlight++;
            return new Claim(false, probing, removeFirst(deep));
        }
        return null;
    }

    /**
     * Records that the messages of this batch are known. Messages that become ready after this belong to the next batch.
     * Idempotent.
     */
    synchronized void complete(Claim batch) {
        if (batch.gathers) {
            batch.gathers = false;
            gathering = false;
        }
    }

    /**
     * Ends the batch.
     *
     * @return how the topic backs off from now on; null = it does not back off, or it already did
     */
    synchronized Setback ended(Claim batch, Verdict verdict) {
        complete(batch);
        inFlight--;
        if (verdict.isUsable()) {
            failures = 0;
        }
        if (!verdict.isUnavailable()) {
            return null;
        }
        batch.handed.forEach(leased -> offer(leased.bucket()));
        batch.buckets.forEach(this::offer);
        return paused ? null : backOff();
    }

    private Setback backOff() {
        paused = true;
        failures++;
        failedNanos = nanoTime.getAsLong();
        return new Setback(failures, removeHanded());
    }

    /**
     * Notes what the fate of a message says about the topic after its batch has ended.
     *
     * @param begunNanos the beginning of the batch: what was sent before the last failure says nothing new
     * @return how the topic backs off from now on; null = it does not back off, or it already did
     */
    synchronized Setback late(long begunNanos, Verdict verdict) {
        if (paused || begunNanos - failedNanos < 0) {
            return null;
        }
        if (verdict.isUsable()) {
            failures = 0;
        }
        return verdict.isUnavailable() ? backOff() : null;
    }

    /** Ends the pause of the topic. */
    synchronized void resume() {
        paused = false;
    }

    synchronized boolean isIdle() {
        return handed.isEmpty() && ready.isEmpty() && deep.isEmpty() && inFlight == 0 && !paused;
    }

    private synchronized long gatherNanos() {
        return Math.max(0, gatherUntilNanos - nanoTime.getAsLong());
    }

    private synchronized void fill(Claim batch) {
        batch.handed = removeHanded();
        batch.buckets = batch.probing ? removeFirst(ready) : removeAll(ready);
        gatherUntilNanos = nanoTime.getAsLong() + (batch.handed.size() > MAX_TRICKLE ? GATHER_TIME.toNanos() : 0);
    }

    private List<Leased> removeHanded() {
        List<Leased> removed = handed;
        handed = new ArrayList<>();
        handedBodies = 0;
        return removed;
    }

    private static List<Integer> removeAll(Set<Integer> buckets) {
        List<Integer> all = List.copyOf(buckets);
        buckets.clear();
        return all;
    }

    private static List<Integer> removeFirst(Set<Integer> buckets) {
        List<Integer> first = buckets.stream().limit(1).toList();
        first.forEach(buckets::remove);
        return first;
    }

    /**
     * The topic begins to back off.
     *
     * @param failures how many failures in a row, this one included
     * @param recalled messages that were handed over and are in no batch; they must be given back
     */
    record Setback(int failures, List<Leased> recalled) {}

    /** The right to make one batch, and the duty to end it. One thread uses it. */
    final class Claim {
        private boolean gathers;
        private final boolean probing;
        private List<Leased> handed = List.of();
        private List<Integer> buckets;

        private Claim(boolean gathers, boolean probing, List<Integer> buckets) {
            this.gathers = gathers;
            this.probing = probing;
            this.buckets = buckets;
        }

        /** Waits for more messages if many arrive, and returns the messages that were already taken for this batch. */
        List<Leased> collect() {
            if (gathers) {
                parkNanos.accept(gatherNanos());
                fill(this);
            }
            return handed;
        }

        /** The buckets that hold the other messages of the batch; known after {@link #collect}. */
        List<Integer> buckets() {
            return buckets;
        }

        /** Whether the batch must have a single message. */
        boolean isProbe() {
            return probing;
        }
    }
}
