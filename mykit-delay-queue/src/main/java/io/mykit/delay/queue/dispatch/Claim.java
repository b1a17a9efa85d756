package io.mykit.delay.queue.dispatch;

import java.util.List;
import java.util.function.Consumer;

/** The right to make one batch of a topic, and the duty to end it. One thread uses it; the traffic of its topic fills it. */
final class Claim {
    private final Consumer<Claim> gather;
    private final boolean limited;
    private final boolean probing;
    private final BodySizes sizes;
    private boolean gathers;
    private List<Leased> handed = List.of();
    private List<Integer> buckets = List.of();
    private int perBucket;
    private int reserved;

    /**
     * @param gather waits for more messages and calls {@link #fill}
     * @param gathers whether the batch gets the messages that were handed over, and takes from several buckets
     * @param sizes of the messages of the topic
     */
    Claim(Consumer<Claim> gather, boolean gathers, boolean limited, boolean probing, BodySizes sizes) {
        this.gather = gather;
        this.gathers = gathers;
        this.limited = limited;
        this.probing = probing;
        this.sizes = sizes;
    }

    /** Waits for more messages if many arrive, and returns the messages that were already taken for this batch. */
    List<Leased> collect() {
        if (gathers) {
            gather.accept(this);
        }
        return handed;
    }

    /** The buckets that hold the other messages of the batch; known after {@link #collect}. */
    List<Integer> buckets() {
        return buckets;
    }

    /** How many messages the batch may take from each bucket; known after {@link #collect}. */
    int perBucket() {
        return perBucket;
    }

    /** Whether the batch must have a single message. */
    boolean isProbe() {
        return probing;
    }

    /** Whether the topic must know when messages of this batch are sent, and when the channel has answered. */
    boolean isLimited() {
        return limited;
    }

    /** The messages that were handed over for this batch. */
    List<Leased> handed() {
        return handed;
    }

    void fill(List<Leased> messages, List<Integer> from, int most) {
        handed = messages;
        buckets = from;
        perBucket = most;
        reserved = messages.size() + from.size() * most;
    }

    /** Lets the batch take at most so many messages. Returns the buckets from which it takes none. */
    List<Integer> limit(int most) {
        int some = Math.min(most, buckets.size());
        List<Integer> others = buckets.subList(some, buckets.size());
        buckets = buckets.subList(0, some);
        perBucket = some == 0 ? 0 : Math.min(perBucket, most / some);
        return others;
    }

    /** The sizes of the topic's messages. */
    BodySizes sizes() {
        return sizes;
    }

    /** Returns whether this batch gathered until now. */
    boolean stopGathering() {
        boolean gathered = gathers;
        gathers = false;
        return gathered;
    }

    /** Messages of the batch go to the channel, and their places with them. */
    void sent(int messages) {
        reserved -= messages;
    }

    /** Keeps so many of the reserved places, and returns the number of the others. */
    int keep(int places) {
        int surplus = Math.max(0, reserved - places);
        reserved -= surplus;
        return surplus;
    }
}
