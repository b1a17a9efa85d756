package io.mykit.delay.channel.webhook;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The requests of one receiver: those that wait, and the number of those under way. The lock of {@link Places} guards
 * it.
 */
final class Receiver {
    private final Circuit circuit;
    private final PriorityQueue<Waiting> waiting = new PriorityQueue<>(
            Comparator.<Waiting>comparingLong(entry -> entry.call().dueTimeMs()).thenComparingLong(Waiting::number));
    private int underWay;
    private long lastNumber;

    Receiver(Circuit circuit) {
        this.circuit = circuit;
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

    void end() {
        underWay--;
    }

    boolean isIdle() {
        return underWay == 0 && waiting.isEmpty();
    }

    private record Waiting(Call call, long number) {}
}
