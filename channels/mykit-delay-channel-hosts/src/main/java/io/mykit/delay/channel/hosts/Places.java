package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Bounds the requests under way: in all, and for each receiver. Requests above the bound of their receiver wait, the
 * one that was due first in front. Receivers take turns for the places that all share, so that a slow one cannot take
 * them all in a row. A receiver that fails all the time has an open circuit: requests of messages that named it are
 * deferred. Thread-safe; calls are begun and decided outside the lock.
 */
final class Places {
    static final int MAX_WAITING = 1000;
    /** More receivers than this are deferred while no one can be forgotten. */
    private static final int MAX_RECEIVERS = 20_000;

    private static final String CLOSED = "the channel is closed";

    private final int perHost;
    private final int maxInFlight;
    private final Supplier<Circuit> circuits;
    private final LongSupplier nanoTime;
    private final DoubleSupplier random;
    /** The lock of this object guards all that follows. */
    private final Map<String, Receiver> receivers = new HashMap<>();
    /** Receivers with a waiting request and a free place, in their turn. */
    private final Set<Receiver> turns = new LinkedHashSet<>();

    private final Set<Call> underWay = new HashSet<>();
    private boolean closed;

    /**
     * @param nanoTime as {@link System#nanoTime}
     * @param random from 0 to 1
     */
    Places(int perHost, int maxInFlight, Supplier<Circuit> circuits, LongSupplier nanoTime, DoubleSupplier random) {
        this.perHost = perHost;
        this.maxInFlight = maxInFlight;
        this.circuits = circuits;
        this.nanoTime = nanoTime;
        this.random = random;
    }

    /** Begins a call as soon as it has a place, or decides its fate without. */
    void enter(Call call) {
        List<Runnable> steps;
        synchronized (this) {
            steps = add(call);
        }
        steps.forEach(Runnable::run);
    }

    private List<Runnable> add(Call call) {
        if (closed) {
            return List.of(() -> call.decide(Delivery.notSent(CLOSED)));
        }
        Receiver receiver = receiver(call);
        if (receiver == null) {
            return List.of(() -> call.decide(Delivery.deferred("more than " + MAX_RECEIVERS + " receivers")));
        }
        Optional<Delivery> full = full(receiver);
        if (full.isPresent()) {
            return List.of(() -> call.decide(full.get()));
        }
        receiver.add(call);
        queueUp(receiver);
        return next();
    }

    /** The fate of a request that this receiver has no place for; empty = there is one. Each such request comes back at another time. */
    synchronized Optional<Delivery> full(boolean own, String receiver) {
        Receiver known = receivers.get(key(own, receiver));
        return known == null ? Optional.empty() : full(known);
    }

    private Optional<Delivery> full(Receiver receiver) {
        return receiver.waiting() < MAX_WAITING
                ? Optional.empty()
                : Optional.of(Delivery.full(MAX_WAITING + " requests wait for this host")
                        .retryAfter(receiver.turn(nanoTime.getAsLong())));
    }

    /** Null if there are too many. */
    private Receiver receiver(Call call) {
        String key = key(call.own(), call.receiver());
        Receiver known = receivers.get(key);
        if (known != null) {
            return known;
        }
        if (receivers.size() >= MAX_RECEIVERS) {
            long nowNanos = nanoTime.getAsLong();
            receivers
                    .values()
                    .removeIf(
                            receiver -> receiver.isIdle() && receiver.circuit().isForgettable(nowNanos));
        }
        if (receivers.size() >= MAX_RECEIVERS) {
            return null;
        }
        Circuit circuit = call.hasCircuit() ? circuits.get() : new Circuit(0, Duration.ZERO);
        Receiver added = new Receiver(circuit, perHost, nanoTime.getAsLong());
        receivers.put(key, added);
        return added;
    }

    private static String key(boolean own, String receiver) {
        return (own ? "own " : "shared ") + receiver;
    }

    /** Whether the circuit of a receiver is open, and no probe is due. */
    synchronized boolean isPaused(boolean own, String receiver) {
        Receiver known = receivers.get(key(own, receiver));
        return known != null && known.circuit().isPaused(nanoTime.getAsLong());
    }

    /** Ends the pauses of all open circuits: the next request of each is the probe. */
    synchronized void tryNow() {
        long nowNanos = nanoTime.getAsLong();
        receivers.values().forEach(receiver -> receiver.circuit().endPause(nowNanos));
    }

    /** How many more requests this receiver should get. */
    synchronized int free(boolean own, String receiver) {
        Receiver known = receivers.get(key(own, receiver));
        return known == null ? 2 * perHost : known.free();
    }

    private void queueUp(Receiver receiver) {
        if (receiver.waiting() > 0 && receiver.hasFreePlace()) {
            turns.add(receiver);
        }
    }

    /** Gives the free places away. */
    private List<Runnable> next() {
        List<Runnable> steps = new ArrayList<>();
        while (underWay.size() < maxInFlight && !turns.isEmpty()) {
            Receiver receiver = turns.iterator().next();
            turns.remove(receiver);
            Call call = receiver.poll();
            long nowNanos = nanoTime.getAsLong();
            Optional<Duration> wait = receiver.circuit().delay(nowNanos);
            if (wait.isPresent() && call.own()) {
                Delivery deferred = deferred(receiver.circuit().isFirstPause(nowNanos), wait.get());
                steps.add(() -> call.decide(deferred));
            } else {
                receiver.begin();
                underWay.add(call);
                Taken place = new Taken(receiver, call, receiver.circuit().begin(nowNanos), nowNanos);
                steps.add(() -> call.begin(place));
            }
            queueUp(receiver);
        }
        return steps;
    }

    /**
     * The fate of a call that an open circuit defers. The calls come back spread over a quarter of the wait more.
     *
     * @param first whether the flow log shall have it: a message is deferred once in the first pause, and often afterwards
     */
    private Delivery deferred(boolean first, Duration wait) {
        Duration spread = Duration.ofNanos((long) (wait.toNanos() * (1 + random.getAsDouble() / 4)));
        String why = "the circuit of this host is open";
        return (first ? Delivery.deferred(why) : Delivery.full(why)).retryAfter(spread);
    }

    /** The calls under way. */
    synchronized int inFlight() {
        return underWay.size();
    }

    synchronized int waiting() {
        return receivers.values().stream().mapToInt(Receiver::waiting).sum();
    }

    synchronized long openCircuits() {
        return receivers.values().stream()
                .filter(receiver -> receiver.circuit().isOpen())
                .count();
    }

    /** Decides all fates that are open: the answers are not awaited. Idempotent. */
    void close() {
        List<Call> sent;
        List<Call> unsent = new ArrayList<>();
        synchronized (this) {
            closed = true;
            sent = List.copyOf(underWay);
            for (Receiver receiver : receivers.values()) {
                for (Call call = receiver.poll(); call != null; call = receiver.poll()) {
                    unsent.add(call);
                }
            }
            turns.clear();
        }
        sent.forEach(call -> call.decide(Delivery.unavailable(CLOSED)));
        unsent.forEach(call -> call.decide(Delivery.notSent(CLOSED)));
    }

    private final class Taken implements Place {
        private final Receiver receiver;
        private final Call call;
        /** Of the circuit. */
        private final long request;

        private final long begunNanos;
        private boolean reported;

        Taken(Receiver receiver, Call call, long request, long begunNanos) {
            this.receiver = receiver;
            this.call = call;
            this.request = request;
            this.begunNanos = begunNanos;
        }

        @Override
        public void saw(Sign sign) {
            synchronized (Places.this) {
                reported = true;
                receiver.circuit().ended(request, sign, nanoTime.getAsLong());
            }
        }

        @Override
        public void leave() {
            List<Runnable> steps;
            synchronized (Places.this) {
                if (!reported) {
                    receiver.circuit().endedUnsent(request);
                }
                underWay.remove(call);
                receiver.end(nanoTime.getAsLong() - begunNanos);
                queueUp(receiver);
                steps = next();
            }
            steps.forEach(Runnable::run);
        }
    }
}
