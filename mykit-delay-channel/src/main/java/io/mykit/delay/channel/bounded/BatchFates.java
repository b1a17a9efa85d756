package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.Delivery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Collects the fates of a batch as they become known. They do not change after {@link #seal}. Thread-safe. */
final class BatchFates {
    private final List<Delivery> fates;
    private boolean sealed;

    BatchFates(int size) {
        fates = new ArrayList<>(Collections.nCopies(size, null));
    }

    synchronized void set(int place, Delivery fate) {
        if (!sealed) {
            fates.set(place, fate);
        }
    }

    synchronized boolean isSealed() {
        return sealed;
    }

    /**
     * Ends the batch; the first caller decides.
     *
     * @param why the reason of all messages whose fate is still unknown; they become UNAVAILABLE
     */
    synchronized List<Delivery> seal(String why) {
        if (!sealed) {
            Delivery unknown = Delivery.unavailable(why);
            fates.replaceAll(fate -> fate == null ? unknown : fate);
            sealed = true;
        }
        return List.copyOf(fates);
    }
}
