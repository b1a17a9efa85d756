package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Take;
import io.mykit.delay.queue.lease.OwnedBuckets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes the messages of batches from the ready lists, and gives back those that no batch can have. Thread-safe. */
final class Taking {
    private static final Logger LOG = LoggerFactory.getLogger(Taking.class);

    private final OwnedBuckets buckets;
    private final Topics topics;
    private final DispatchSettings settings;
    private final LeaseClock clock;
    private final Flights flights;

    Taking(OwnedBuckets buckets, Topics topics, DispatchSettings settings, LeaseClock clock, Flights flights) {
        this.buckets = buckets;
        this.topics = topics;
        this.settings = settings;
        this.clock = clock;
        this.flights = flights;
    }

    /** Returns the messages that were handed over for this batch, save those whose leases ended while they waited for a thread. */
    List<Leased> collect(String topic, Claim batch) {
        List<Leased> handed = batch.collect();
        List<Leased> held = clock.held(handed);
        if (held.size() < handed.size()) {
            LOG.info(
                    "Topic {}: the leases of {} messages ended while they waited for a thread; they are delivered again soon",
                    topic,
                    handed.size() - held.size());
        }
        return held;
    }

    /**
     * Adds messages from the ready lists to this batch, as many as there is memory for; none if consumers pull them.
     *
     * @param pulled whether the batch goes the way of pulled messages
     * @param bodies gets the bodies of all messages that the batch has then
     */
    void take(String topic, Claim batch, boolean pulled, List<Leased> taken, TakenBodies bodies) {
        List<Integer> without = flights.allow(topic, batch, taken, bodies);
        if (!without.isEmpty()) {
            topics.change(topic, traffic -> without.forEach(traffic::offer));
        }
        List<Integer> from = batch.buckets();
        if (from.isEmpty() || pulled) {
            return;
        }
        long untilNanos = clock.untilNanos();
        List<Integer> deep = new ArrayList<>();
        for (Take take : buckets.take(from, topic, batch.perBucket(), settings.lease())) {
            take.messages().forEach(message -> taken.add(new Leased(take.bucket(), message, untilNanos)));
            if (take.more()) {
                deep.add(take.bucket());
            }
        }
        bodies.count(taken);
        batch.sizes().saw(Leased.largest(taken));
        if (!deep.isEmpty()) {
            topics.change(topic, traffic -> deep.forEach(traffic::offerMore));
        }
    }

    /** Puts messages back into their ready lists, save those whose leases have ended. */
    void giveBack(String topic, List<Leased> messages) {
        Map<Integer, List<String>> ids = clock.heldIds(messages);
        if (ids.isEmpty()) {
            return;
        }
        buckets.release(topic, ids, false);
        topics.change(topic, traffic -> ids.keySet().forEach(traffic::offer));
    }

    /** As {@link #giveBack}, for callers that must not fail: a surprise has the next claims of the buckets give the messages back. */
    void giveBackOrAbandon(String topic, List<Leased> messages) {
        try {
            giveBack(topic, messages);
        } catch (RuntimeException | Error e) {
            // First: the log may fail as well, if the memory is used up.
            abandon(messages);
            LOG.error("Topic {}: {} messages could not be given back at once", topic, messages.size(), e);
        }
    }

    /** As {@link OwnedBuckets#abandon}, for messages that a scan has just taken. */
    void abandon(Map<Integer, List<DelayMessage>> messages) {
        messages.forEach((bucket, some) -> buckets.abandon(
                Map.of(bucket, some.stream().map(DelayMessage::id).toList())));
    }

    /** As {@link OwnedBuckets#abandon}, save the messages whose leases have ended. */
    void abandon(List<Leased> messages) {
        buckets.abandon(clock.heldIds(messages));
    }
}
