package io.mykit.delay.queue.dispatch;

import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The state of one topic: the buckets with ready messages, the number of batches under way, whether the topic backs off, and
 * how many messages its limits allow. Thread-safe.
 *
 * <p>A batch begins with {@link #next} and ends with {@link #ended}. Messages that arrive a few at a time are gathered: one
 * batch gets the messages that the scanners took, and takes from all buckets with ready messages. The next batch begins when
 * this one is {@link #complete}, that is, when its rows have been checked, so a slow broker does not delay it. After a batch of
 * several messages, the next one collects 2 ms later at the earliest: four messages that share two round trips all arrive sooner. A
 * message that comes alone never waits. A bucket with more than a batch gets batches of its own, several buckets at the same time.
 *
 * <p>After a failure, a batch of a single message probes the topic. The others follow when the probe has succeeded.
 *
 * <p>A batch takes no more messages than the {@link TopicRoom} has places. The buckets of a limited topic take turns.
 */
final class TopicTraffic {
    private final int maxInFlight;
    private final int batchSize;
    private final TopicRoom room;
    private final LongSupplier nanoTime;
    private final GatherPause pause;
    private final NextLook nextLook = new NextLook();
    private final Handed handed;
    private final ReadyBuckets ready = new ReadyBuckets();
    private final BodySizes sizes = new BodySizes();
    private boolean gathering;
    private int inFlight;
    private int failures;
    private boolean paused;
    /** The time of the last failure by {@link #nanoTime}; long ago at first. */
    private long failedNanos;
    /** Whether ready messages waited for a place when the last batch could have begun. */
    private boolean full;

    /**
     * @param maxInFlight the maximum of batches under way
     * @param batchSize the maximum of messages in a batch. The scanners take no more while so many wait here for the next one
     * @param allHanded what scanners have handed over, of all topics
     */
    TopicTraffic(
            int maxInFlight,
            int batchSize,
            TopicRoom room,
            BodyBudget allHanded,
            LongSupplier nanoTime,
            LongConsumer parkNanos) {
        this.maxInFlight = maxInFlight;
        this.batchSize = batchSize;
        this.room = room;
        this.handed = new Handed(allHanded);
        this.nanoTime = nanoTime;
        this.pause = new GatherPause(nanoTime, parkNanos);
        this.failedNanos = nanoTime.getAsLong() - Long.MAX_VALUE / 2;
    }

    boolean isLimited() {
        return room.isLimited();
    }

    /** Records that this bucket may have ready messages. */
    synchronized void offer(int bucket) {
        ready.offer(bucket);
    }

    /** Records that this bucket has more ready messages than its batch took. */
    synchronized void offerMore(int bucket) {
        ready.offerMore(bucket, isLimited());
    }

    /** Whether the scanners may take messages of this topic, to hand them over. */
    synchronized boolean takesMore() {
        boolean held = full || (isLimited() && (room.free() == 0 || ready.hasSome()));
        return !paused && failures == 0 && !ready.hasDeep() && handed.isBelow(batchSize) && !held;
    }

    /** Whether the topic waits after a failure, or is being probed. */
    synchronized boolean isBackingOff() {
        return failures > 0;
    }

    /** Whether messages of this topic wait for its limits, or for a place of its receiver. */
    synchronized boolean isHeld() {
        return !ready.isEmpty() && room.free() == 0;
    }

    /**
     * Accepts messages that the scanner took. Returns those that must be given back: all if the topic backs off, and those
     * for which there is no place.
     */
    synchronized List<Leased> hand(List<Leased> messages) {
        if (paused || failures > 0) {
            return messages;
        }
        int places = Math.min(handed.places(messages.size()), room.free());
        room.reserve(places);
        handed.add(messages.subList(0, places));
        return messages.subList(places, messages.size());
    }

    /** Returns the next batch; null = no batch may begin now. */
    synchronized Claim next() {
        if (isOccupied()) {
            return null;
        }
        int free = ready.isEmpty() ? 0 : room.free();
        full = free == 0 && !ready.isEmpty();
        // Batches that gather go first: behind a backlog, their messages would wait until the backlog ends.
        if (!gathering && !(handed.isEmpty() && (!ready.hasSome() || free == 0))) {
            return claim(true);
        }
        if (ready.hasDeep() && free > 0) {
            Claim batch = claim(false);
            int most = batch.isProbe() ? 1 : Math.min(batchSize, free);
            batch.fill(List.of(), ready.removeDeep(), most);
            room.reserve(most);
            return batch;
        }
        return null;
    }

    private Claim claim(boolean gathers) {
        inFlight++;
        gathering |= gathers;
        return new Claim(this::gather, gathers, isLimited(), failures > 0, sizes);
    }

    /** Whether only the end of a batch, or of the pause, lets another batch begin. */
    private boolean isOccupied() {
        return paused || inFlight >= maxInFlight || (failures > 0 && inFlight > 0);
    }

    /**
     * Records that the messages of this batch are known. Messages that become ready after this belong to the next batch.
     *
     * @param messages how many messages the batch has
     */
    synchronized void complete(Claim batch, int messages) {
        gathering &= !batch.stopGathering();
        room.cancel(batch.keep(messages));
    }

    /** Records that messages of this batch go to the channel. */
    synchronized void sent(Claim batch, int messages) {
        batch.sent(messages);
        room.sent(messages);
    }

    /** Records that the channel has answered for messages that were sent. */
    synchronized void answered(int messages) {
        room.answered(messages);
    }

    /** Records that messages came back because their receivers were full. */
    synchronized void full(int messages) {
        if (messages > 0) {
            room.full(messages);
        }
    }

    /**
     * Ends the batch.
     *
     * @return how the topic backs off from now on; null = it does not back off, or it already did
     */
    synchronized Setback ended(Claim batch, Verdict verdict) {
        complete(batch, 0);
        inFlight--;
        failures = verdict.isUsable() ? 0 : failures;
        if (!verdict.isUnavailable()) {
            return null;
        }
        batch.handed().forEach(leased -> offer(leased.bucket()));
        batch.buckets().forEach(this::offer);
        return paused ? null : backOff(verdict);
    }

    private Setback backOff(Verdict verdict) {
        paused = true;
        if (!verdict.ofNode()) {
            failures++;
            failedNanos = nanoTime.getAsLong();
        }
        return new Setback(failures, recall());
    }

    /** Returns the messages that were handed over and are in no batch, to be given back. */
    synchronized List<Leased> recall() {
        List<Leased> recalled = handed.removeAll();
        room.cancel(recalled.size());
        return recalled;
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
        failures = verdict.isUsable() ? 0 : failures;
        return verdict.isUnavailable() ? backOff(verdict) : null;
    }

    /** Ends the pause of the topic. */
    synchronized void resume() {
        paused = false;
    }

    /** Whether this object may be forgotten: a new one would be the same. */
    synchronized boolean isIdle() {
        return isEmpty() && inFlight == 0 && !paused && room.nanosUntilWhole() == 0;
    }

    private boolean isEmpty() {
        return handed.isEmpty() && ready.isEmpty();
    }

    /** Returns when a topic that waits for tokens or memory needs a look although nothing happens; null = no need, or one is on its way. */
    synchronized NextLook.At nextLook() {
        if (!waits() || isIdle() || isOccupied() || gathering || (isEmpty() && inFlight > 0)) {
            return null;
        }
        long afterNanos = isEmpty() ? room.nanosUntilWhole() : room.nanosUntilFree();
        return afterNanos < 0 ? null : nextLook.plan(afterNanos, nanoTime.getAsLong());
    }

    /** What {@link #next} found, and not what is true now: a place that became free in between would get neither a batch nor a look. */
    private boolean waits() {
        return isLimited() || full;
    }

    /** The time of this look has come. */
    synchronized void look(NextLook.At now) {
        nextLook.begun(now);
    }

    private void gather(Claim batch) {
        pause.await();
        fill(batch);
    }

    private synchronized void fill(Claim batch) {
        List<Leased> messages = handed.remove(batchSize);
        int most = batch.isProbe() ? 1 : Math.min(batchSize, room.free());
        boolean all = !isLimited() && !batch.isProbe() && most == batchSize;
        List<Integer> from = ready.remove(all ? Integer.MAX_VALUE : most);
        // Few places: the remainder is for the next batch. Otherwise a few more are taken than fit evenly.
        int perBucket = from.isEmpty() ? 0 : (most + (all ? from.size() - 1 : 0)) / from.size();
        batch.fill(messages, from, perBucket);
        room.reserve(from.size() * perBucket);
        pause.begin(messages.size());
    }
}
