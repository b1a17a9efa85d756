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
 * Which buckets have something ready for a topic, how many of its batches are under way, and whether the topic backs off.
 * Thread-safe.
 *
 * <p>A batch begins with {@link #next} and ends with {@link #ended}. Messages that trickle in are gathered: one batch gets the
 * messages that the scanners took, and takes from all buckets that have something. The next batch begins when this one is
 * {@link #complete}, which is when its rows have been looked at. It does not wait until this one has been sent, so a slow broker
 * does not hold it up. Where messages come thick it collects no sooner than 2 ms after this one: a batch costs two round trips
 * whatever its size, and four messages that share them all arrive sooner than if each had its own. A message that comes alone
 * never waits. Buckets that hold more than a batch are worked one by one and side by side.
 *
 * <p>After a failure one batch of a single message probes the topic. The other batches follow when the probe has succeeded.
 */
final class TopicTraffic {
    private static final Duration GATHER_TIME = Duration.ofMillis(2);
    /** After a batch of so few messages the next one does not wait. */
    private static final int MAX_TRICKLE = 2;
    /** Characters of bodies that wait here for their batch. */
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
    /** Until when the next batch waits for company, by {@link #nanoTime}. */
    private long gatherUntilNanos;

    private int inFlight;
    private int failures;
    private boolean paused;

    /**
     * @param maxInFlight batches under way at once
     * @param maxHanded messages that wait here
     * @param parkNanos lets the current thread wait
     */
    TopicTraffic(int maxInFlight, int maxHanded, LongSupplier nanoTime, LongConsumer parkNanos) {
        this.maxInFlight = maxInFlight;
        this.maxHanded = maxHanded;
        this.nanoTime = nanoTime;
        this.parkNanos = parkNanos;
        this.gatherUntilNanos = nanoTime.getAsLong();
    }

    /** Something may be ready in this bucket. */
    synchronized void offer(int bucket) {
        if (!deep.contains(bucket)) {
            ready.add(bucket);
        }
    }

    /** More than one batch is ready in this bucket. */
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

    /** Hands messages over that were taken; false if the topic backs off, and they must be given back. */
    synchronized boolean hand(List<Leased> messages) {
        if (paused || failures > 0) {
            return false;
        }
        messages.forEach(leased -> handedBodies += leased.message().body().length());
        return handed.addAll(messages);
    }

    /** The next batch; null = none may begin now. */
    synchronized Claim next() {
        boolean probing = failures > 0;
        if (paused || inFlight >= maxInFlight || (probing && inFlight > 0)) {
            return null;
        }
        // Messages that trickle in go first: behind a backlog they would wait for as long as it lasts.
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

    /** The messages of this batch are known: what becomes ready from now on is for the next one. Idempotent. */
    synchronized void complete(Claim batch) {
        if (batch.gathers) {
            batch.gathers = false;
            gathering = false;
        }
    }

    /**
     * The batch is over.
     *
     * @return how the topic backs off from now on; null = it does not, or it does so already
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
        if (paused) {
            return null;
        }
        paused = true;
        failures++;
        return new Setback(failures, removeHanded());
    }

    /** The pause is over. */
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
     * @param failures in a row, this one included
     * @param recalled messages that were handed over and are in no batch: to be given back
     */
    record Setback(int failures, List<Leased> recalled) {}

    /** The right to make one batch, and the duty to end it. Used by one thread. */
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

        /** Waits for company where messages come thick, and returns the messages that were taken for this batch already. */
        List<Leased> collect() {
            if (gathers) {
                parkNanos.accept(gatherNanos());
                fill(this);
            }
            return handed;
        }

        /** Where the rest of the batch is to be taken; known after {@link #collect}. */
        List<Integer> buckets() {
            return buckets;
        }

        /** Whether the batch is to be of a single message. */
        boolean isProbe() {
            return probing;
        }
    }
}
