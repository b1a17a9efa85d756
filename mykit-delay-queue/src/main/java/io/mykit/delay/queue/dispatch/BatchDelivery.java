package io.mykit.delay.queue.dispatch;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the rows of a batch that was taken, has it sent ({@link Sending}), and hands the outcomes to the {@link OutcomeWriter}.
 * For one term; thread-safe.
 *
 * <p>Order: take (lease), look at the rows, deliver; then, beside the next batches, record in the store and settle in the
 * index. A crash after the broker's confirmation and before the record makes a duplicate when the lease is given back,
 * never a loss. A batch of which a message failed is recorded at once, before its topic goes on.
 */
final class BatchDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);
    /** Of rows that are read together. */
    private static final long MAX_BODIES = BodyBounds.TOGETHER;

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
    private final Sending sending;
    private final OutcomeWriter writer;
    private final Duration margin;

    BatchDelivery(
            LeaderTerm term,
            MessageStore store,
            TermIndex index,
            InstantSource clock,
            Gate gate,
            Sending sending,
            OutcomeWriter writer,
            Duration lease) {
        this.term = term;
        this.store = store;
        this.index = index;
        this.clock = clock;
        this.gate = gate;
        this.sending = sending;
        this.writer = writer;
        // At least the send timeout (see delivery.lease): what is sent now is answered before its lease ends.
        this.margin = lease.dividedBy(5);
    }

    /** Looks at the rows; what must not be delivered is out of the index after it. */
    Batch admit(List<Leased> taken) {
        long readyMs = clock.millis();
        Gate.Passage passage = gate.check(taken);
        long lookedNanos = System.nanoTime();
        index.settle(passage.ended());
        scheduleCurrent(passage.replaced());
        BatchOutcomes outcomes = new BatchOutcomes(readyMs, passage);
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

    /** Delivers a batch; tells whether the topic can be used. */
    Verdict deliver(DeliveryChannel channel, String topic, Batch admitted) {
        Batch batch = admitted;
        if (System.nanoTime() - batch.lookedNanos() > FRESH.toNanos()) {
            if (!term.isConfirmed()) {
                index.abandon(batch.open());
                return Verdict.unavailable(NOT_LEADING);
            }
            index.release(topic, batch.outcomes().release());
            batch = admit(batch.open());
        }
        BatchOutcomes outcomes = batch.outcomes();
        List<Leased> lasting = leasedLongEnough(topic, batch.open());
        Verdict verdict = sending.send(channel, topic, lasting, outcomes);
        if (outcomes.areFinal()) {
            writer.submit(topic, outcomes);
        } else {
            writer.write(outcomes);
            index.postpone(outcomes.postpone());
            index.release(topic, outcomes.release());
        }
        return batch.heldBack() == null ? verdict : verdict.and(Verdict.unavailable(batch.heldBack()));
    }

    /**
     * The messages that can be sent before their lease ends. After that they may be another batch's, or another leader's: the
     * batch may have waited for a thread, or the process may have been frozen.
     */
    private List<Leased> leasedLongEnough(String topic, List<Leased> open) {
        Map<Boolean, List<Leased>> lasting = open.stream().collect(partitioningBy(leased -> leased.lasts(margin)));
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

    private void scheduleCurrent(List<Leased> replaced) {
        if (replaced.isEmpty()) {
            return;
        }
        Map<String, Leased> left = new HashMap<>();
        replaced.forEach(leased -> left.put(leased.id(), leased));
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

    /**
     * Messages that may be delivered.
     *
     * @param outcomes to be filled
     * @param lookedNanos when the rows were looked at, {@link System#nanoTime()}
     * @param heldBack why others of the batch may not; null = all may
     */
    record Batch(List<Leased> open, BatchOutcomes outcomes, long lookedNanos, String heldBack) {}
}
