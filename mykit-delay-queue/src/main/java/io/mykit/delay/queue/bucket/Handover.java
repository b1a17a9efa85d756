package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Says which due messages a scan takes at once, under a lease, instead of putting them into their ready list. A few
 * messages need not pass through the list. If more messages than the limit are due, or the list has messages already, they
 * go into the list.
 *
 * @param except topics of which no message may be taken now
 * @param limit messages of a topic in one scan; if more are due, the scan takes none of them
 * @param lease the length of the lease
 */
public record Handover(Collection<String> except, int limit, Duration lease) {
    /** All messages go into their ready lists. */
    public static final Handover NONE = new Handover(List.of(), 0, Duration.ZERO);
}
