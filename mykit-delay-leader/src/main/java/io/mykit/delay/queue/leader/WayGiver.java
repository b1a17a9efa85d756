package io.mykit.delay.queue.leader;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Decides when a node gives way to a better one. A contender is better if it cannot use fewer parts, and can use all parts
 * that this node can use. So there is no circle of nodes in which each node finds the next one better, and a part that is
 * lost for all nodes makes no node better. Only one thread uses it, except {@link #details}.
 *
 * <p>A leader gives way when the same node was present and better for the whole period. The period doubles each time, up to
 * 32 times its length, until this node has led with all parts for ten minutes. A node that wins while another is better gives
 * way at once, but only a few times in a row: the better node may be unable to win, and one node has to lead.
 */
final class WayGiver {
    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_YIELDS = 3;
    private static final long FORGET_NANOS = Duration.ofMinutes(10).toNanos();

    private final Duration period;
    private final LongSupplier nanoTime;
    private String better;
    private long betterNanos;
    private long wellNanos;
    private boolean well;
    private int times;
    private int yields;
    private volatile Last last;

    WayGiver(Duration period, LongSupplier nanoTime) {
        this.period = period;
        this.nanoTime = nanoTime;
    }

    /** Returns a contender that is better than a node which cannot use these parts. */
    static Optional<String> better(Set<String> unusable, Map<String, Set<String>> others) {
        return others.entrySet().stream()
                .filter(other -> other.getValue().size() < unusable.size() && unusable.containsAll(other.getValue()))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** Whether this node gives way now. A leader asks every second. */
    boolean isDue(Set<String> unusable, Map<String, Set<String>> others) {
        long now = nanoTime.getAsLong();
        yields = 0;
        forget(unusable.isEmpty(), now);
        // While the contender that was better before is still better, the others do not matter.
        Optional<String> found = better != null && others.containsKey(better)
                ? better(unusable, Map.of(better, others.get(better)))
                : Optional.empty();
        found = found.or(() -> better(unusable, others));
        if (found.isEmpty()) {
            better = null;
            return false;
        }
        if (!found.get().equals(better)) {
            better = found.get();
            betterNanos = now;
        }
        if (now - betterNanos < needed().toNanos()) {
            return false;
        }
        last = new Last(now, String.join(", ", unusable), better);
        better = null;
        times++;
        return true;
    }

    /** This node does not lead, or cannot read the marks of the others: earlier observations do not count. */
    void reset() {
        better = null;
        well = false;
    }

    /** Whether this node lets a better one lead. A node asks when it has won. */
    boolean yields(Optional<String> other) {
        boolean gives = other.isPresent() && yields < MAX_YIELDS;
        yields = gives ? yields + 1 : 0;
        return gives;
    }

    /** How long another node must be better. */
    Duration needed() {
        return period.multipliedBy(1L << Math.min(times, MAX_DOUBLINGS));
    }

    /** When and why this node gave way the last time; empty if it never did. Any thread. */
    Map<String, Object> details() {
        Last seen = last;
        Map<String, Object> details = new LinkedHashMap<>();
        if (seen != null) {
            details.put(
                    "secondsAgo",
                    Duration.ofNanos(nanoTime.getAsLong() - seen.nanos()).toSeconds());
            details.put("because", "could not use " + seen.unusable());
            details.put("for", seen.better());
        }
        return details;
    }

    private void forget(boolean wellNow, long now) {
        if (!well || !wellNow) {
            well = wellNow;
            wellNanos = now;
        } else if (now - wellNanos > FORGET_NANOS) {
            times = 0;
        }
    }

    private record Last(long nanos, String unusable, String better) {}
}
