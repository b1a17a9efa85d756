package io.mykit.delay.channel.hosts;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The requests of one receiver: those that wait, the number of those under way, and how long the last ones took. The lock of {@link
 * Places} guards it.
 */
final class Receiver {
    /** The weight of the last request in the mean time of requests. */
    private static final double WEIGHT = 0.1;
    /** A receiver has work for this time beside the requests under way, so that it never waits for the server. */
    private static final long AHEAD_NANOS = Duration.ofSeconds(1).toNanos();

    private static final long SHORTEST_WAIT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long LONGEST_TURN_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long FIRST_LOOK_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long LAST_LOOK_NANOS = Duration.ofMinutes(10).toNanos();
    /** A look for a place costs about as much as a delivery, so there are at most 200 a second, unless the receiver answers more. */
    private static final long BETWEEN_LOOKS_NANOS = Duration.ofMillis(5).toNanos();

    private final int places;
    private final Circuit circuit;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.<Waiting>comparingLong(entry -> entry.call().dueTimeMs()).thenComparingLong(Waiting::number));
    private int underWay;
    private long lastNumber;
    /** The mean time of a request; 0 until the first one has ended. */
    private double meanNanos;
    /** The begin of the first request. */
    private long firstNanos;
    /** When the last request that found no place should come back. */
    private long turnNanos;
    /** When the last request should look for a place whose turn is too far away. */
    private long lookNanos;

    /** @param places for requests under way */
    Receiver(Circuit circuit, int places, long nowNanos) {
        this.circuit = circuit;
        this.places = places;
        this.firstNanos = nowNanos;
        this.turnNanos = nowNanos;
        this.lookNanos = nowNanos;
    }

    Circuit circuit() {
        return circuit;
    }

    /** Adds a request behind those that are due before it, or at the same time. */
    void add(Call call) {
        waiting.add(new Waiting(call, ++lastNumber));
    }

    /** The request that was due first, or null if none waits. */
    Call poll() {
        Waiting first = waiting.poll();
        return first == null ? null : first.call();
    }

    int waiting() {
        return waiting.size();
    }

    int underWay() {
        return underWay;
    }

    void begin() {
        underWay++;
    }

    /** @param nanos the time of the request */
    void end(long nanos) {
        underWay--;
        meanNanos = Math.max(1, meanNanos == 0 ? nanos : meanNanos + WEIGHT * (nanos - meanNanos));
    }

    boolean hasFreePlace() {
        return underWay < places;
    }

    /**
     * How many more requests it should get: those that it can answer within about a second wait beside those under way. A few free
     * places count as none, so that requests come in batches.
     */
    int free() {
        double answers = meanNanos == 0 ? places : places * AHEAD_NANOS / meanNanos;
        int ahead = (int) Math.max(places, Math.min(Places.MAX_WAITING, answers));
        int free = places + ahead - underWay - waiting.size();
        return free < Math.max(1, ahead / 4) ? 0 : free;
    }

    /**
     * How long a request should wait that finds no place: until half of the waiting requests have probably begun, and longer after
     * each such request, from a second to a minute. Requests that would have to wait longer come back at a steady rate, in thirty
     * seconds to ten minutes: the receiver may be faster by then.
     */
    Duration turn(long nowNanos) {
        // Before the first answer a request takes at least the time that has passed.
        double mean = meanNanos == 0 ? Math.max(1, nowNanos - firstNanos) : meanNanos;
        long each = (long) Math.max(1, mean / places);
        long earliest = nowNanos + each * waiting.size() / 2;
        turnNanos = later(turnNanos, earliest) + each;
        long wait = turnNanos - nowNanos;
        if (wait > LONGEST_TURN_NANOS) {
            turnNanos = nowNanos + LONGEST_TURN_NANOS;
            wait = look(nowNanos, Math.min(BETWEEN_LOOKS_NANOS, each / 2 + 1));
        }
        return Duration.ofNanos(Math.max(SHORTEST_WAIT_NANOS, wait));
    }

    private long look(long nowNanos, long each) {
        lookNanos = later(lookNanos, nowNanos + FIRST_LOOK_NANOS) + each;
        if (lookNanos - nowNanos > LAST_LOOK_NANOS) {
            // There are more requests than looks in this time: looks come closer together.
            lookNanos = nowNanos + FIRST_LOOK_NANOS + each / 2;
        }
        return lookNanos - nowNanos;
    }

    private static long later(long oneNanos, long otherNanos) {
        return oneNanos - otherNanos > 0 ? oneNanos : otherNanos;
    }

    boolean isIdle() {
        return underWay == 0 && waiting.isEmpty();
    }

    private record Waiting(Call call, long number) {}
}
