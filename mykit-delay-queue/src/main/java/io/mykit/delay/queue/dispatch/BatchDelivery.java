package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.delivery.Delivery;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one batch from its ready lists to the broker, and hands what became of it to the {@link OutcomeWriter}. For one
 * term; thread-safe.
 *
 * <p>Order: take (lease), look at the rows, deliver; then, beside the next batches, record in the store and settle in the
 * index. A crash after the broker's confirmation and before the record makes a duplicate when the lease is given back,
 * never a loss. A batch with trouble in it is recorded at once, before its topic goes on.
 */
final class BatchDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);

    /** A look at the rows that is older than this is repeated: the process may have been frozen since. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    private static final String OLDER =
            "the database cannot be asked, and Redis came back older: it may have what has ended";
    private static final String NOT_LEADING = "it is not known whether this node still leads";

    private final LeaderTerm term;
    private final MessageStore store;
    private final TermIndex index;
    private final InstantSource clock;
    private final Gate gate;
    private final OutcomeWriter writer;
    private final Backoff backoff;
    private final int maxAttempts;
    private final Duration margin;
    private final DispatchMeters meters;

    BatchDelivery(
            LeaderTerm term,
            MessageStore store,
            TermIndex index,
            InstantSource clock,
            Gate gate,
            OutcomeWriter writer,
            Backoff backoff,
            int maxAttempts,
            Duration lease,
            DispatchMeters meters) {
        this.term = term;
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.gate = gate;
        this.writer = writer;
        this.backoff = backoff;
        this.maxAttempts = maxAttempts;
        // At least the send timeout (see delivery.lease): what is sent now is answered before its lease ends.
        this.margin = lease.dividedBy(5);
        this.meters = meters;
    }

    /** Looks at the rows; what must not be delivered is out of the index after it. */
    Batch admit(List<Leased> taken) {
        long readyMs = clock.millis();
        Gate.Passage passage = gate.check(taken);
        long lookedNanos = System.nanoTime();
        index.settle(passage.ended());
        reschedule(passage.rescheduled());
        Outcomes outcomes = new Outcomes(readyMs, passage);
        if (passage.checked()) {
            return new Batch(passage.open(), outcomes, lookedNanos, null);
        }
        List<Leased> open = new ArrayList<>(taken.size());
        for (Leased leased : taken) {
            if (index.isOlder(leased.bucket())) {
                outcomes.giveBack(leased, OLDER);
            } else {
                open.add(leased);
            }
        }
        return new Batch(open, outcomes, lookedNanos, open.size() < taken.size() ? OLDER : null);
    }

    /**
     * Delivers a batch.
     *
     * @return why the topic cannot be used now; null = go on
     */
    String deliver(DeliveryChannel channel, String topic, Batch admitted) {
        Batch batch = admitted;
        if (System.nanoTime() - batch.lookedNanos() > FRESH.toNanos()) {
            if (!term.isConfirmed()) {
                index.abandon(batch.open());
                return NOT_LEADING;
            }
            index.release(topic, batch.outcomes().release());
            batch = admit(batch.open());
        }
        Outcomes outcomes = batch.outcomes();
        List<Leased> live = dropExpired(leasedLongEnough(topic, batch.open()), outcomes);
        String unavailable = live.isEmpty() ? null : deliver(channel, topic, live, outcomes);
        if (outcomes.areFinal()) {
            writer.submit(topic, outcomes);
        } else {
            writer.write(outcomes);
            index.postpone(outcomes.postpone());
            index.release(topic, outcomes.release());
        }
        return unavailable == null ? batch.heldBack() : unavailable;
    }

    /**
     * Those that can be sent before their lease ends. After that they may be another batch's, or another leader's: the batch may
     * have waited for a thread, or the process may have been frozen.
     */
    private List<Leased> leasedLongEnough(String topic, List<Leased> open) {
        Map<Boolean, List<Leased>> lasting =
                open.stream().collect(Collectors.partitioningBy(leased -> leased.lasts(margin)));
        List<Leased> late = lasting.get(false);
        if (!late.isEmpty()) {
            LOG.info(
                    "Topic {}: {} messages waited too long for a thread; their leases are given back",
                    topic,
                    late.size());
            index.abandon(late);
        }
        return lasting.get(true);
    }

    private void reschedule(List<Leased> rescheduled) {
        if (rescheduled.isEmpty()) {
            return;
        }
        List<DelayMessage> current = store
                .find(rescheduled.stream().map(Leased::id).toList())
                .stream()
                .filter(row -> row.status().isUnfinished())
                .map(StoredMessage::message)
                .toList();
        index.settle(rescheduled);
        // A crash here leaves rows that the index does not know; the auditor schedules them.
        index.schedule(current);
    }

    private List<Leased> dropExpired(List<Leased> open, Outcomes outcomes) {
        long nowMs = clock.millis();
        List<Leased> live = new ArrayList<>(open.size());
        for (Leased leased : open) {
            if (leased.message().isExpired(nowMs)) {
                outcomes.end(leased, MessageStatus.EXPIRED, nowMs, outcomes.attempts(leased), "ttl ran out");
                meters.expired();
            } else {
                live.add(leased);
            }
        }
        return live;
    }

    private String deliver(DeliveryChannel channel, String topic, List<Leased> live, Outcomes outcomes) {
        List<Delivery> fates = send(channel, topic, live);
        long nowMs = clock.millis();
        String unavailable = null;
        for (int i = 0; i < live.size(); i++) {
            Leased leased = live.get(i);
            Delivery fate = fates.get(i);
            switch (fate.kind()) {
                case DELIVERED -> {
                    outcomes.end(leased, MessageStatus.FINISH, nowMs, outcomes.attempts(leased), "");
                    meters.delivered(nowMs - leased.message().dueTimeMs());
                }
                case UNAVAILABLE -> {
                    outcomes.giveBack(leased, fate.detail());
                    unavailable = fate.detail();
                }
                case FAILED -> failed(leased, fate.detail(), nowMs, outcomes);
                case REFUSED -> dead(leased, outcomes.attempts(leased) + 1, fate.detail(), nowMs, outcomes);
            }
        }
        return unavailable;
    }

    private List<Delivery> send(DeliveryChannel channel, String topic, List<Leased> live) {
        try {
            List<Delivery> fates =
                    channel.deliver(topic, live.stream().map(Leased::message).toList());
            if (fates.size() == live.size()) {
                return fates;
            }
            throw new IllegalStateException(fates.size() + " fates for " + live.size() + " messages");
        } catch (RuntimeException e) {
            LOG.warn("The channel of topic {} threw; the batch is tried again", topic, e);
            // Alone, the message is to blame and must not stop the topic for ever; in company, nobody knows who is.
            Delivery fate = live.size() == 1 ? Delivery.failed(e.toString()) : Delivery.unavailable(e.toString());
            return live.stream().map(leased -> fate).toList();
        }
    }

    private void failed(Leased leased, String detail, long nowMs, Outcomes outcomes) {
        int attempts = outcomes.attempts(leased) + 1;
        if (maxAttempts > 0 && attempts >= maxAttempts) {
            dead(leased, attempts, detail, nowMs, outcomes);
        } else {
            outcomes.retry(leased, backoff.after(attempts), nowMs, attempts, detail);
            meters.retried();
        }
    }

    private void dead(Leased leased, int attempts, String detail, long nowMs, Outcomes outcomes) {
        LOG.warn(
                "Message {} of topic {} is a dead letter: {}",
                leased.id(),
                leased.message().topic(),
                detail);
        outcomes.end(leased, MessageStatus.FAILED, nowMs, attempts, detail);
        meters.dead();
    }

    /**
     * Messages that may be delivered.
     *
     * @param outcomes to be filled
     * @param lookedNanos when the rows were looked at, {@link System#nanoTime()}
     * @param heldBack why others of the batch may not; null = all may
     */
    record Batch(List<Leased> open, Outcomes outcomes, long lookedNanos, String heldBack) {}
}
