package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The messages of one batch that an asynchronous channel is sending. Fates that become known at nearly the same time are
 * judged together, on one thread at a time. Thread-safe.
 */
final class Flight {
    private final Outlet outlet;
    private final long begunNanos = System.nanoTime();
    private final BatchOutcomes outcomes;
    private final LeaseClock leases;
    private final FlightListener listener;
    /** The messages without a fate, by id. */
    private final ConcurrentMap<String, Leased> open;

    /** Those of them that the channel began to send. */
    private final Set<String> sent;

    private final Queue<Landing> landed = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean judging = new AtomicBoolean();
    private volatile boolean stalled;

    /** @param outcomes gives the rows of the batch */
    Flight(Outlet outlet, List<Leased> messages, BatchOutcomes outcomes, LeaseClock leases, FlightListener listener) {
        this.outlet = outlet;
        this.outcomes = outcomes;
        this.leases = leases;
        this.listener = listener;
        this.open = new ConcurrentHashMap<>(messages.size());
        this.sent = ConcurrentHashMap.newKeySet(messages.size());
        messages.forEach(leased -> open.put(leased.id(), leased));
    }

    String topic() {
        return outlet.topic();
    }

    Outlet outlet() {
        return outlet;
    }

    FlightListener listener() {
        return listener;
    }

    /** The messages whose fate is not known yet. */
    Collection<Leased> open() {
        return open.values();
    }

    /** Notes that the channel is about to send this message, if it may. */
    void sending(String id) {
        sent.add(id);
    }

    /** The messages that the channel has not begun to send. */
    List<Leased> unsent() {
        return open.values().stream()
                .filter(leased -> !sent.contains(leased.id()))
                .toList();
    }

    boolean isOver() {
        return open.isEmpty();
    }

    /** Whether the lease of this message lasts, as far as this leader knows. */
    boolean isLeased(String id) {
        Leased leased = open.get(id);
        return leased != null && leases.lasts(leased, Duration.ZERO);
    }

    /**
     * Notes that the leases of these messages were extended. A lease that has ended stays ended: it may have been given back before
     * Redis extended the lease of this id.
     */
    void extended(Collection<Leased> messages, long untilNanos) {
        messages.forEach(leased -> open.computeIfPresent(
                leased.id(),
                (id, known) -> leases.lasts(known, Duration.ZERO)
                        ? new Leased(known.bucket(), known.message(), untilNanos, known.lapsed())
                        : known));
    }

    /** Notes that the fates of these messages are recorded. */
    void landed(Collection<Leased> messages) {
        messages.forEach(leased -> {
            open.remove(leased.id());
            sent.remove(leased.id());
        });
    }

    /**
     * Notes the fate of a message.
     *
     * @return whether the caller must have {@link #judge} run; if not, another thread is about to run it
     */
    boolean landed(Leased leased, Delivery fate) {
        landed.add(new Landing(leased, fate, System.nanoTime() - begunNanos));
        return judging.compareAndSet(false, true);
    }

    /** As {@link #landed(Leased, Delivery)}, for fates that were noted before and are not judged yet. */
    boolean hasLanded() {
        return !landed.isEmpty() && judging.compareAndSet(false, true);
    }

    /** Judges all fates that are known. One thread at a time. If the judge throws, the fates that it did not record are kept for the next call. */
    void judge(Judge judge) {
        do {
            List<Landing> together = new ArrayList<>();
            try {
                for (Landing next = landed.poll(); next != null; next = landed.poll()) {
                    together.add(next);
                }
                if (!together.isEmpty()) {
                    judge.judge(together, outcomes.later());
                }
            } catch (RuntimeException | Error e) {
                keep(together);
                throw e;
            } finally {
                judging.set(false);
            }
        } while (hasLanded());
    }

    /** Keeps the fates that are not recorded. */
    private void keep(List<Landing> judged) {
        for (Landing landing : judged) {
            if (open.containsKey(landing.leased().id())) {
                landed.add(landing);
            }
        }
    }

    /** Notes that this node stood still, so the channel did not send a message. */
    void stalled() {
        stalled = true;
    }

    boolean wasStalled() {
        return stalled;
    }

    /**
     * A message and its fate.
     *
     * @param nanos from the beginning of the flight to the fate
     */
    record Landing(Leased leased, Delivery fate, long nanos) {}

    /** Records fates. */
    @FunctionalInterface
    interface Judge {
        /** @param outcomes empty, for these messages */
        void judge(List<Landing> landed, BatchOutcomes outcomes);
    }
}
