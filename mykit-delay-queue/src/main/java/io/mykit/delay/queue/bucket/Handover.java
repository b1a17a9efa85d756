package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.function.Predicate;

/**
 * Which due messages a scan takes at once, under a lease, instead of putting them into their ready list. What trickles in
 * need not pass through the list; what comes in throngs, or finds some there already, does.
 *
 * @param topics whether the messages of a topic may be taken
 * @param limit messages of a topic in one scan; if there are more, none is taken
 * @param lease how long they belong to who scans
 */
public record Handover(Predicate<String> topics, int limit, Duration lease) {
    /** All go into their ready lists. */
    public static final Handover NONE = new Handover(topic -> false, 0, Duration.ZERO);
}
