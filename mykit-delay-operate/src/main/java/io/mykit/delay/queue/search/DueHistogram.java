package io.mykit.delay.queue.search;

import io.mykit.delay.common.message.MessageStatus;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many unfinished messages fall due when, in classes that grow with the distance: minutes for 26 hours, hours for 40 days, days for
 * 800 days. Filled by one thread, and not changed afterwards.
 */
public final class DueHistogram {
    private static final long MINUTE_MS = 60_000;
    private static final long HOUR_MS = 60 * MINUTE_MS;
    private static final long DAY_MS = 24 * HOUR_MS;

    private final long countedAtMs;
    private final SortedMap<Long, Tiers> classes = new TreeMap<>();
    private Tiers overdue = Tiers.NONE;
    private Tiers later = Tiers.NONE;

    DueHistogram(long countedAtMs) {
        this.countedAtMs = countedAtMs;
    }

    void add(MessageStatus status, long dueTimeMs) {
        Tiers one = Tiers.one(status);
        long ahead = dueTimeMs - countedAtMs;
        if (ahead < 0) {
            overdue = overdue.plus(one);
        } else if (ahead >= 800 * DAY_MS) {
            later = later.plus(one);
        } else {
            long width = ahead < 26 * HOUR_MS ? MINUTE_MS : ahead < 40 * DAY_MS ? HOUR_MS : DAY_MS;
            classes.merge(dueTimeMs - Math.floorMod(dueTimeMs, width), one, Tiers::plus);
        }
    }

    /** The begin of the count, epoch milliseconds. */
    public long countedAtMs() {
        return countedAtMs;
    }

    /** The messages that were due at the begin of the count. */
    public Tiers overdue() {
        return overdue;
    }

    /** The messages of the classes that begin in this span. */
    public Tiers between(long fromMs, long toMs) {
        return sum(classes.subMap(fromMs, toMs));
    }

    /** The messages of the classes that begin at this time or later. */
    public Tiers from(long fromMs) {
        return sum(classes.tailMap(fromMs)).plus(later);
    }

    private static Tiers sum(Map<Long, Tiers> some) {
        return some.values().stream().reduce(Tiers.NONE, Tiers::plus);
    }

    /**
     * Messages by tier.
     *
     * @param near messages that are in Redis by their status
     * @param far messages that are in the database alone
     */
    public record Tiers(long near, long far) {
        static final Tiers NONE = new Tiers(0, 0);
        private static final Tiers NEAR = new Tiers(1, 0);
        private static final Tiers FAR = new Tiers(0, 1);

        static Tiers one(MessageStatus status) {
            return status == MessageStatus.DELAY || status == MessageStatus.READY ? NEAR : FAR;
        }

        Tiers plus(Tiers other) {
            return new Tiers(near + other.near, far + other.far);
        }
    }
}
