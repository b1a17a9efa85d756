package io.mykit.delay.queue.bucket;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * Says which due messages a scan takes at once, under a lease, instead of putting them into their ready list. A few
 * messages need not pass through the list. If more messages than the limit are due, or the list has messages already, they
 * go into the list.
 *
 * <p>Messages of a pulled topic go into the list. If a message was under a hold of a consumer, and the hold has ended, the scan takes
 * it, as many as the limit at most; the next scan takes the others. While no message of the topic may be taken, such holds become
 * a second longer.
 *
 * @param except topics of which no message may be taken now
 * @param limit messages of a topic in one scan; if more are due, the scan takes none of them
 * @param lease the length of the lease
 * @param pulled the topics whose messages consumers pull
 */
public record Handover(BusyTopics except, int limit, Duration lease, PulledTopics pulled) {
    /** All messages go into their ready lists. */
    public static final Handover NONE = new Handover(List.of(), 0, Duration.ZERO);

    public Handover(Collection<String> except, int limit, Duration lease, PulledTopics pulled) {
        this(BusyTopics.of(except), limit, lease, pulled);
    }

    /** No topic is pulled. */
    public Handover(Collection<String> except, int limit, Duration lease) {
        this(except, limit, lease, PulledTopics.NONE);
    }
}
