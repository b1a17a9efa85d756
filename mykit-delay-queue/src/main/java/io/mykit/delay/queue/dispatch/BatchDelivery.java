package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.BucketIndex;
import io.mykit.delay.queue.delivery.Delivery;
import io.mykit.delay.queue.delivery.DeliveryChannel;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoreUnavailableException;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one batch from its ready list to its end. Stateless but for the breaker; thread-safe.
 *
 * <p>Order: take (lease), look at the rows, deliver, record in the store, settle in the index. A crash after the
 * broker's confirmation and before the record makes a duplicate when the lease is given back, never a loss; a crash
 * between record and settle is harmless, because the gate sees the row.
 */
final class BatchDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);

    private final MessageStore store;
    private final BucketIndex index;
    private final InstantSource clock;
    private final StoreBreaker breaker;
    private final Gate gate;
    private final Backoff backoff;
    private final int maxAttempts;
    private final DispatchMeters meters;

    BatchDelivery(
            MessageStore store,
            BucketIndex index,
            InstantSource clock,
            StoreBreaker breaker,
            Backoff backoff,
            int maxAttempts,
            DispatchMeters meters) {
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.breaker = breaker;
        this.gate = new Gate(store, breaker);
        this.backoff = backoff;
        this.maxAttempts = maxAttempts;
        this.meters = meters;
    }

    /**
     * Delivers what was taken.
     *
     * @return why the topic cannot be used now; null = go on
     */
    String run(int bucket, long epoch, DeliveryChannel channel, String topic, List<DelayMessage> taken) {
        long readyMs = clock.millis();
        Gate.Passage passage = gate.check(taken);
        forget(bucket, epoch, passage);
        Outcomes outcomes = new Outcomes("bucket-" + bucket, readyMs, passage.rows());
        List<DelayMessage> live = dropExpired(passage.open(), readyMs, outcomes);
        String unavailable = live.isEmpty() ? null : deliver(channel, topic, live, outcomes);
        boolean recorded = isRecorded(outcomes);
        leaveIndex(bucket, epoch, outcomes, recorded);
        stayInIndex(bucket, epoch, topic, outcomes);
        return unavailable;
    }

    private void forget(int bucket, long epoch, Gate.Passage passage) {
        if (!passage.ended().isEmpty()) {
            index.settle(bucket, epoch, passage.ended());
        }
        if (!passage.rescheduled().isEmpty()) {
            List<DelayMessage> current = store.find(passage.rescheduled()).stream()
                    .filter(row -> row.status().isUnfinished())
                    .map(StoredMessage::message)
                    .toList();
            index.settle(bucket, epoch, passage.rescheduled());
            // A crash here leaves rows that the index does not know; the auditor schedules them.
            index.schedule(current);
        }
    }

    private List<DelayMessage> dropExpired(List<DelayMessage> open, long nowMs, Outcomes outcomes) {
        List<DelayMessage> live = new ArrayList<>(open.size());
        for (DelayMessage message : open) {
            if (message.isExpired(nowMs)) {
                outcomes.end(message, MessageStatus.EXPIRED, nowMs, outcomes.attempts(message), "ttl ran out");
                meters.expired();
            } else {
                live.add(message);
            }
        }
        return live;
    }

    private String deliver(DeliveryChannel channel, String topic, List<DelayMessage> live, Outcomes outcomes) {
        List<Delivery> fates = send(channel, topic, live);
        long nowMs = clock.millis();
        String unavailable = null;
        for (int i = 0; i < live.size(); i++) {
            DelayMessage message = live.get(i);
            Delivery fate = fates.get(i);
            switch (fate.kind()) {
                case DELIVERED -> {
                    outcomes.end(message, MessageStatus.FINISH, nowMs, outcomes.attempts(message), "");
                    meters.delivered(nowMs - message.dueTimeMs());
                }
                case UNAVAILABLE -> {
                    outcomes.giveBack(message, fate.detail());
                    unavailable = fate.detail();
                }
                case FAILED -> failed(message, fate.detail(), nowMs, outcomes);
                case REFUSED -> dead(message, outcomes.attempts(message) + 1, fate.detail(), nowMs, outcomes);
            }
        }
        return unavailable;
    }

    private List<Delivery> send(DeliveryChannel channel, String topic, List<DelayMessage> live) {
        try {
            List<Delivery> fates = channel.deliver(topic, live);
            if (fates.size() == live.size()) {
                return fates;
            }
            throw new IllegalStateException(fates.size() + " fates for " + live.size() + " messages");
        } catch (RuntimeException e) {
            LOG.warn("The channel of topic {} threw; the batch is tried again", topic, e);
            // Alone, the message is to blame and must not stop the topic for ever; in company, nobody knows who is.
            Delivery fate = live.size() == 1 ? Delivery.failed(e.toString()) : Delivery.unavailable(e.toString());
            return live.stream().map(message -> fate).toList();
        }
    }

    private void failed(DelayMessage message, String detail, long nowMs, Outcomes outcomes) {
        int attempts = outcomes.attempts(message) + 1;
        if (maxAttempts > 0 && attempts >= maxAttempts) {
            dead(message, attempts, detail, nowMs, outcomes);
        } else {
            outcomes.retry(message, backoff.after(attempts), nowMs, attempts, detail);
            meters.retried();
        }
    }

    private void dead(DelayMessage message, int attempts, String detail, long nowMs, Outcomes outcomes) {
        LOG.warn("Message {} of topic {} is a dead letter: {}", message.id(), message.topic(), detail);
        outcomes.end(message, MessageStatus.FAILED, nowMs, attempts, detail);
        meters.dead();
    }

    /** False if the store could not be asked before the delivery, or not told after it. */
    private boolean isRecorded(Outcomes outcomes) {
        if (outcomes.transitions().isEmpty()) {
            return false;
        }
        try {
            store.move(outcomes.transitions());
            return true;
        } catch (StoreUnavailableException e) {
            breaker.failed(e);
            return false;
        }
    }

    private void leaveIndex(int bucket, long epoch, Outcomes outcomes, boolean recorded) {
        if (outcomes.ended().isEmpty()) {
            return;
        }
        if (recorded) {
            index.settle(bucket, epoch, outcomes.endedIds());
        } else {
            // The message goes, its outcome stays: the recorder tells the store when it is back.
            index.park(bucket, epoch, outcomes.ended());
        }
    }

    private void stayInIndex(int bucket, long epoch, String topic, Outcomes outcomes) {
        if (!outcomes.postpone().isEmpty()) {
            index.postpone(bucket, epoch, outcomes.postpone());
        }
        if (!outcomes.release().isEmpty()) {
            index.release(bucket, topic, epoch, outcomes.release());
        }
    }
}
