package io.mykit.delay.queue.dispatch;

import static java.util.stream.Collectors.toSet;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.queue.delivery.ChannelRoute;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;

/**
 * All flights of a term, the limits of each topic, and the limit for the bodies of all topics. Thread-safe.
 *
 * <p>A batch ends for its topic when it begins to fly, unless it is a probe, or the topic has too many messages or too large
 * bodies in flight. A batch that has to wait ends when there is room again.
 */
public final class Flights {
    /** Above all batch sizes. */
    private static final int MAX_BATCH = 1 << 20;

    private final int maxMessages;
    private final long maxBodies;
    private final BodyBudget all;
    private final Map<Flight, Consumer<Verdict>> probes = new HashMap<>();
    private final Set<Flight> open = new LinkedHashSet<>();
    private final Map<String, Load> loads = new HashMap<>();

    /**
     * @param maxMessages the messages of a topic in flight with which its next batch may begin
     * @param maxBodies the characters of their bodies with which its next batch may begin
     * @param all the characters of all topics
     */
    Flights(int maxMessages, long maxBodies, BodyBudget all) {
        this.maxMessages = maxMessages;
        this.maxBodies = maxBodies;
        this.all = all;
    }

    /** The characters that this topic may have in flight in addition; 0 or less = none. */
    synchronized long free(String topic) {
        Load load = loads.get(topic);
        return Math.min(all.free(), maxBodies - (load == null ? 0 : load.bodies));
    }

    /** Whether a topic that has nothing in flight may have one message there. */
    boolean hasReserve() {
        return all.hasReserve();
    }

    /** Whether messages of this topic are in flight. */
    synchronized boolean isBusy(String topic) {
        Load load = loads.get(topic);
        return load != null && load.messages > 0;
    }

    /** Counts the bodies of a batch that is on its way to this channel. */
    TakenBodies taking(ChannelRoute route) {
        return new TakenBodies(all, route.channel() instanceof AsyncDeliveryChannel);
    }

    /**
     * Lets a batch take only as many messages as there is memory for. A topic that has none may take one from a reserve, so that none
     * starves.
     *
     * @param handed the messages that the batch has already
     * @param bodies gets the characters of these, and those that the batch may take
     * @return the buckets from which the batch takes nothing
     */
    synchronized List<Integer> allow(String topic, Claim batch, List<Leased> handed, TakenBodies bodies) {
        if (!bodies.counts()) {
            return List.of();
        }
        bodies.count(handed);
        long free = free(topic);
        boolean none = handed.isEmpty() && !isBusy(topic) && all.hasReserve();
        long most = free > 0 || none ? Math.max(1, free / batch.sizes().expected()) : 0;
        List<Integer> without = batch.limit((int) Math.min(most, MAX_BATCH));
        bodies.expect(
                handed,
                (long) batch.buckets().size()
                        * batch.perBucket()
                        * batch.sizes().expected());
        return without;
    }

    /** @param end called once, now or later, on the thread that makes the room */
    void begun(Flight flight, boolean probe, Consumer<Verdict> end) {
        synchronized (this) {
            open.add(flight);
            Load load = loads.computeIfAbsent(flight.topic(), topic -> new Load());
            load.add(flight.open(), 1);
            if (probe) {
                probes.put(flight, end);
                return;
            }
            if (isFull(load)) {
                load.waiting.add(end);
                return;
            }
        }
        end.accept(Verdict.UNKNOWN);
    }

    /** Notes that these messages have their fates. Their flight may be over then; a probe ends with this verdict. */
    void landed(Flight flight, List<Leased> messages, Verdict verdict) {
        Consumer<Verdict> probe;
        List<Consumer<Verdict>> ends = new ArrayList<>();
        synchronized (this) {
            probe = probes.remove(flight);
            Load load = loads.get(flight.topic());
            load.add(messages, -1);
            flight.landed(messages);
            while (!isFull(load) && !load.waiting.isEmpty()) {
                ends.add(load.waiting.remove());
            }
            if (flight.isOver()) {
                open.remove(flight);
            }
            if (load.messages == 0 && load.waiting.isEmpty()) {
                loads.remove(flight.topic());
            }
        }
        ends.forEach(end -> end.accept(Verdict.UNKNOWN));
        if (probe != null) {
            probe.accept(verdict);
        }
    }

    /** The flights that have messages without a fate. */
    synchronized List<Flight> open() {
        return List.copyOf(open);
    }

    /** The ids of the messages in flight. */
    synchronized Set<String> ids() {
        return open.stream()
                .flatMap(flight -> flight.open().stream())
                .map(Leased::id)
                .collect(toSet());
    }

    private boolean isFull(Load load) {
        return load.messages >= maxMessages || load.bodies >= maxBodies;
    }

    /** What a topic has in flight. */
    private final class Load {
        private final Queue<Consumer<Verdict>> waiting = new ArrayDeque<>();
        private int messages;
        private long bodies;

        void add(Collection<Leased> more, int sign) {
            long change = sign * Leased.characters(more);
            messages += sign * more.size();
            bodies += change;
            all.add(change);
        }
    }
}
