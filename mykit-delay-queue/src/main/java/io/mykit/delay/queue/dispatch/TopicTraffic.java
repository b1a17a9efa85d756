package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.BodyBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which buckets have something ready for a topic, how many of its batches are under way, and whether it backs off.
 * Thread-safe.
 *
 * <p>What trickles in is gathered: one batch has what the scanners took, and takes from all buckets that have something; the
 * next one begins when it has been looked at, not when it has been sent, so that a slow broker does not hold it up. Where
 * messages come thick it does not begin sooner than 2 ms after this one: a batch costs two round trips
 * whatever is in it, and four messages that share them are all sooner there than if each had its own. A message that comes
 * alone never waits. Buckets that hold more than a batch are worked one by one and side by side.
 *
 * <p>After a failure one batch of a single message probes; the others follow once it got through.
 */
final class TopicTraffic {
    private static final Duration GATHERING = Duration.ofMillis(2);
    /** Of a batch with so few, the next one does not wait. */
    private static final int FEW = 2;
    /** Characters of bodies that wait here for their batch. */
    private static final long MAX_HANDED_BODIES = BodyBounds.TOGETHER;

    private final String topic;
    private final int maxInFlight;
    private final int maxHanded;
    private final LongSupplier nanoTime;
    private List<Leased> handed = new ArrayList<>();
    private long handedBodies;
    private final Set<Integer> ready = new LinkedHashSet<>();
    private final Set<Integer> deep = new LinkedHashSet<>();
    private boolean gathering;
    /** Until when the next batch gathers, by {@link #nanoTime}. */
    private long gatherUntilNanos;

    private int inFlight;
    private int failures;
    private boolean paused;

    /**
     * @param maxInFlight batches under way at once
     * @param maxHanded messages that wait here
     */
    TopicTraffic(String topic, int maxInFlight, int maxHanded) {
        this(topic, maxInFlight, maxHanded, System::nanoTime);
    }

    TopicTraffic(String topic, int maxInFlight, int maxHanded, LongSupplier nanoTime) {
        this.topic = topic;
        this.maxInFlight = maxInFlight;
        this.maxHanded = maxHanded;
        this.nanoTime = nanoTime;
        this.gatherUntilNanos = nanoTime.getAsLong();
    }

    String topic() {
        return topic;
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

    /** Whether messages may be handed over that were taken already. */
    synchronized boolean takesMore() {
        return !paused
                && failures == 0
                && deep.isEmpty()
                && handed.size() < maxHanded
                && handedBodies < MAX_HANDED_BODIES;
    }

    /** Hands messages over; false if the topic backs off, and they must be given back. */
    synchronized boolean hand(List<Leased> messages) {
        if (paused || failures > 0) {
            return false;
        }
        messages.forEach(leased -> handedBodies += leased.message().body().length());
        return handed.addAll(messages);
    }

    /**
     * The right to take the next batch; null = there is nothing now. Whoever gets it must {@link #collect} what it is for, and
     * call {@link #end}.
     */
    synchronized Claim begin() {
        boolean probing = failures > 0;
        if (paused || inFlight >= maxInFlight || (probing && inFlight > 0)) {
            return null;
        }
        // What trickles in goes first: behind a backlog it would wait for as long as that lasts.
        if (!gathering && !(handed.isEmpty() && ready.isEmpty())) {
            inFlight++;
            gathering = true;
            return new Claim(true, probing);
        }
        if (!deep.isEmpty()) {
            inFlight++;
            Claim claim = new Claim(false, probing);
            claim.buckets = removeFirst(deep);
            return claim;
        }
        return null;
    }

    /** For how long this batch should wait for company before it is collected, in nanoseconds. */
    synchronized long gatherNanos(Claim claim) {
        return claim.gathering ? Math.max(0, gatherUntilNanos - nanoTime.getAsLong()) : 0;
    }

    /** Puts into the batch what is there for it now. */
    synchronized void collect(Claim claim) {
        if (claim.gathering) {
            claim.handed = recall();
            gatherUntilNanos = nanoTime.getAsLong() + (claim.handed.size() > FEW ? GATHERING.toNanos() : 0);
            claim.buckets = claim.probing ? removeFirst(ready) : removeAll(ready);
        }
    }

    /** What was handed over and is in no batch yet. */
    synchronized List<Leased> recall() {
        List<Leased> recalled = handed;
        handed = new ArrayList<>();
        handedBodies = 0;
        return recalled;
    }

    /** The batch is complete: what becomes ready from now on is for the next one. Idempotent. */
    synchronized void gathered(Claim claim) {
        if (claim.gathering && !claim.gathered) {
            claim.gathered = true;
            gathering = false;
        }
    }

    /** The batch is sent, or was none. */
    synchronized void end(Claim claim) {
        gathered(claim);
        inFlight--;
    }

    /** The topic can be used; returns whether that is news, so that other batches may begin. */
    synchronized boolean succeeded() {
        boolean news = failures > 0;
        failures = 0;
        return news;
    }

    /**
     * The topic failed with what was taken from these buckets, and pauses.
     *
     * @return failures in a row; 0 if another batch has already reported this one
     */
    synchronized int failed(Claim claim) {
        claim.buckets.forEach(this::offer);
        if (paused) {
            return 0;
        }
        paused = true;
        return ++failures;
    }

    synchronized void resume() {
        paused = false;
    }

    synchronized boolean isIdle() {
        return handed.isEmpty() && ready.isEmpty() && deep.isEmpty() && inFlight == 0 && !paused;
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

    /** The right and the duty to take one batch. Used by one thread. */
    static final class Claim {
        private final boolean gathering;
        private final boolean probing;
        private List<Leased> handed = List.of();
        private List<Integer> buckets = List.of();
        private boolean gathered;

        private Claim(boolean gathering, boolean probing) {
            this.gathering = gathering;
            this.probing = probing;
        }

        /** What has been taken for it already. */
        List<Leased> handed() {
            return handed;
        }

        /** Where the rest of it is to be taken. */
        List<Integer> buckets() {
            return buckets;
        }

        /** Whether the batch is to be of a single message. */
        boolean isProbe() {
            return probing;
        }
    }
}
