package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.delivery.Delivery;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    /** Of rows that are read together. */
    private static final long MAX_BODIES = BodyBounds.TOGETHER;

    private final MessageStore store;
    private final TermIndex index;
    private final InstantSource clock;
    private final Gate gate;
    private final OutcomeWriter writer;
    private final Backoff backoff;
    private final int maxAttempts;
    private final DispatchMeters meters;

    BatchDelivery(
            MessageStore store,
            TermIndex index,
            InstantSource clock,
            Gate gate,
            OutcomeWriter writer,
            Backoff backoff,
            int maxAttempts,
            DispatchMeters meters) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.gate = gate;
        this.writer = writer;
        this.backoff = backoff;
        this.maxAttempts = maxAttempts;
        this.meters = meters;
    }

    /** Looks at the rows; what must not be delivered is out of the index after it. */
    Batch admit(List<Leased> taken) {
        long readyMs = clock.millis();
        Gate.Passage passage = gate.check(taken);
        index.settle(passage.ended());
        reschedule(passage.rescheduled());
        return new Batch(passage.open(), new Outcomes(readyMs, passage));
    }

    /**
     * Delivers a batch.
     *
     * @return why the topic cannot be used now; null = go on
     */
    String deliver(DeliveryChannel channel, String topic, Batch batch) {
        Outcomes outcomes = batch.outcomes();
        List<Leased> live = dropExpired(batch.open(), outcomes);
        String unavailable = live.isEmpty() ? null : deliver(channel, topic, live, outcomes);
        if (outcomes.areFinal()) {
            writer.submit(topic, outcomes);
        } else {
            writer.write(outcomes);
            index.postpone(outcomes.postpone());
            index.release(topic, outcomes.release());
        }
        return unavailable;
    }

    private void reschedule(List<Leased> rescheduled) {
        if (rescheduled.isEmpty()) {
            return;
        }
        Map<String, Leased> left = new HashMap<>();
        rescheduled.forEach(leased -> left.put(leased.id(), leased));
        store.find(List.copyOf(left.keySet()), MAX_BODIES, rows -> {
            index.settle(
                    rows.stream().map(row -> left.remove(row.message().id())).toList());
            // A crash here leaves rows that the index does not know; the auditor schedules them.
            index.schedule(rows.stream()
                    .filter(row -> row.status().isUnfinished())
                    .map(StoredMessage::message)
                    .toList());
        });
        index.settle(List.copyOf(left.values()));
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
     */
    record Batch(List<Leased> open, Outcomes outcomes) {}
}
