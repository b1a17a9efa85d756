package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Which due messages a scan takes at once, under a lease, instead of putting them into their ready list. Messages that trickle in
 * need not pass through the list. If more than the limit are due, or some are in the list already, they do.
 *
 * @param except the topics of which none may be taken now
 * @param limit messages of a topic in one scan; if there are more, none is taken
 * @param lease how long the scanner's leader has them
 */
public record Handover(Collection<String> except, int limit, Duration lease) {
    /** All go into their ready lists. */
    public static final Handover NONE = new Handover(List.of(), 0, Duration.ZERO);
}
