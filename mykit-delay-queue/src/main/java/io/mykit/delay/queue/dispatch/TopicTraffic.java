package io.mykit.delay.queue.dispatch;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which buckets have something ready for a topic, how many of its batches are under way, and whether it backs off.
 * Thread-safe.
 *
 * <p>What trickles in is gathered: one batch has what the scanners took, and takes from all buckets that have something;
 * the next one begins when it has been taken and looked at, not when it has been sent. So at a low rate the cost of a batch is shared by several
 * messages, and a slow broker does not hold them up. Buckets that hold more than a batch are worked one by one and side
 * by side.
 *
 * <p>After a failure one batch of a single message probes; the others follow once it got through.
 */
final class TopicTraffic {
    private final String topic;
    private final int maxInFlight;
    private final int maxHanded;
    private List<Leased> handed = new ArrayList<>();
    private final Set<Integer> ready = new LinkedHashSet<>();
    private final Set<Integer> deep = new LinkedHashSet<>();
    private boolean gathering;
    private int inFlight;
    private int failures;
    private boolean paused;

    /**
     * @param maxInFlight batches under way at once
     * @param maxHanded messages that wait here
     */
    TopicTraffic(String topic, int maxInFlight, int maxHanded) {
        this.topic = topic;
        this.maxInFlight = maxInFlight;
        this.maxHanded = maxHanded;
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
        return !paused && failures == 0 && deep.isEmpty() && handed.size() < maxHanded;
    }

    /** Hands messages over; false if the topic backs off, and they must be given back. */
    synchronized boolean hand(List<Leased> messages) {
        return !paused && failures == 0 && handed.addAll(messages);
    }

    /** Where the next batch is to be taken; null = nowhere now. Whoever gets it must call {@link #end}. */
    synchronized Claim begin() {
        boolean probing = failures > 0;
        if (paused || inFlight >= maxInFlight || (probing && inFlight > 0)) {
            return null;
        }
        // What trickles in goes first: behind a backlog it would wait for as long as that lasts.
        if (!gathering && !(handed.isEmpty() && ready.isEmpty())) {
            inFlight++;
            gathering = true;
            List<Integer> buckets = probing ? first(ready) : new ArrayList<>(ready);
            buckets.forEach(ready::remove);
            return new Claim(recall(), buckets, true, probing);
        }
        if (!deep.isEmpty()) {
            inFlight++;
            List<Integer> buckets = first(deep);
            buckets.forEach(deep::remove);
            return new Claim(List.of(), buckets, false, probing);
        }
        return null;
    }

    /** What was handed over and is in no batch yet. */
    synchronized List<Leased> recall() {
        List<Leased> recalled = handed;
        handed = new ArrayList<>();
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

    private static List<Integer> first(Set<Integer> buckets) {
        return buckets.stream().limit(1).toList();
    }

    /** The right and the duty to take one batch. */
    static final class Claim {
        private final List<Leased> handed;
        private final List<Integer> buckets;
        private final boolean gathering;
        private final boolean probing;
        private boolean gathered;

        private Claim(List<Leased> handed, List<Integer> buckets, boolean gathering, boolean probing) {
            this.handed = handed;
            this.buckets = buckets;
            this.gathering = gathering;
            this.probing = probing;
        }

        /** What has been taken for it already. */
        List<Leased> handed() {
            return handed;
        }

        List<Integer> buckets() {
            return buckets;
        }

        /** Whether the batch is to be of a single message. */
        boolean isProbe() {
            return probing;
        }
    }
}
