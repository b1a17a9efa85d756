package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Which due messages a scan takes at once, under a lease, instead of putting them into their ready list. What trickles in
 * need not pass through the list; what comes in throngs, or finds some there already, does.
 *
 * @param except the topics of which none may be taken now
 * @param limit messages of a topic in one scan; if there are more, none is taken
 * @param lease how long they belong to who scans
 */
public record Handover(Supplier<? extends Collection<String>> except, int limit, Duration lease) {
    /** All go into their ready lists. */
    public static final Handover NONE = new Handover(List::of, 0, Duration.ZERO);
}
