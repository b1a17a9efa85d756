package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.Delivery;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;

/** Collects the fates of a batch as they become known. They do not change after {@link #seal}. Thread-safe. */
final class BatchFates {
    private final List<Delivery> fates;
    /** The places of messages that the broker may have got. */
    private final BitSet begun = new BitSet();

    private boolean sealed;

    BatchFates(int size) {
        fates = new ArrayList<>(Collections.nCopies(size, null));
    }

    synchronized void set(int place, Delivery fate) {
        if (!sealed) {
            fates.set(place, fate);
        }
    }

    /** Notes that the send of these messages begins. Returns false if the batch has ended; then they must not be sent. */
    synchronized boolean begin(List<Integer> places) {
        if (!sealed) {
            places.forEach(begun::set);
        }
        return !sealed;
    }

    /** Notes that the broker certainly did not take these messages. */
    synchronized void notSent(List<Integer> places) {
        if (!sealed) {
            places.forEach(begun::clear);
        }
    }

    /**
     * Ends the batch; the first caller decides.
     *
     * @param why the reason of all messages whose fate is still unknown; they become UNAVAILABLE, and unsent unless their send has
     *     begun
     */
    synchronized List<Delivery> seal(String why) {
        if (!sealed) {
            Delivery unknown = Delivery.unavailable(why);
            Delivery notSent = Delivery.notSent(why);
            for (int place = 0; place < fates.size(); place++) {
                if (fates.get(place) == null) {
                    fates.set(place, begun.get(place) ? unknown : notSent);
                }
            }
            sealed = true;
        }
        return List.copyOf(fates);
    }
}
