package io.mykit.delay.queue.dispatch;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.leader.LeaderTerm;
import io.mykit.delay.queue.lease.OwnedBuckets;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.store.StoredMessage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers one taken batch: it checks the rows, sends the batch ({@link Sending}), and hands the outcomes to the {@link
 * OutcomeWriter}. One object for each term; thread-safe.
 *
 * <p>Order: the index takes the messages under a lease, the gate checks the rows, the channel delivers. After that, the
 * outcomes are recorded in the store and settled in the index, at the same time as the next batches. A crash after the
 * broker's confirmation and before the record causes a duplicate when a leader gives the lease back, never a loss. If a message of a batch
 * must wait again, the batch is recorded at once, before its topic goes on.
 */
final class BatchDelivery {
    private static final Logger LOG = LoggerFactory.getLogger(BatchDelivery.class);
    /** The limit for the bodies of rows that are read together. */
    private static final long MAX_BODIES = BodyBounds.TOGETHER;

    private static final String OLDER =
            "the database does not answer, and Redis came back older or an answer of Redis was lost:"
                    + " it may hold messages that have ended";
    private static final String NOT_LEADING = "this node cannot confirm that it still leads";

    private final LeaderTerm term;
    private final MessageStore store;
    private final MessageIndex index;
    private final OwnedBuckets buckets;
    private final InstantSource clock;
    private final Gate gate;
    private final Sending sending;
    private final OutcomeWriter writer;
    private final LeaseClock leases;

    BatchDelivery(
            LeaderTerm term,
            MessageStore store,
            MessageIndex index,
            OwnedBuckets buckets,
            InstantSource clock,
            Gate gate,
            Sending sending,
            OutcomeWriter writer,
            LeaseClock leases) {
        this.term = term;
        this.store = store;
        this.index = index;
        this.buckets = buckets;
        this.clock = clock;
        this.gate = gate;
        this.sending = sending;
        this.writer = writer;
        this.leases = leases;
    }

    /** Checks the rows. After this call, the index no longer holds the messages that must not be delivered. */
    Batch admit(List<Leased> taken) {
        long readyMs = clock.millis();
        Gate.Passage passage = gate.check(taken);
        long lookedNanos = leases.nanos();
        buckets.settle(Leased.idsByBucket(passage.ended()));
        scheduleCurrent(passage.replaced());
        buckets.postpone(Leased.byBucket(passage.later()), Set.of());
        BatchOutcomes outcomes = new BatchOutcomes(readyMs, passage);
        if (passage.checked()) {
            return new Batch(passage.open(), outcomes, lookedNanos, null);
        }
        List<Leased> open = new ArrayList<>(taken.size());
        for (Leased leased : taken) {
            if (buckets.isDoubtful(leased.bucket(), leased.message().id())) {
                outcomes.giveBack(leased, OLDER, false);
            } else {
                open.add(leased);
            }
        }
        return new Batch(open, outcomes, lookedNanos, open.size() < taken.size() ? OLDER : null);
    }

    /**
     * Delivers a batch and returns whether the topic can be used. Suspects are sent alone and after the other messages, so that a
     * suspect that causes the failure does not harm the others.
     */
    Verdict deliver(Outlet outlet, Batch admitted) {
        Batch batch = renewed(outlet.topic(), admitted);
        List<Leased> live = sending.dropExpired(batch.open(), batch.outcomes());
        Map<Boolean, List<Leased>> parts =
                live.stream().collect(partitioningBy(leased -> sending.isSuspect(outlet.topic(), leased)));
        List<Leased> others = parts.get(false);
        Verdict verdict = live.isEmpty() ? Verdict.USABLE : Verdict.UNKNOWN;
        if (!others.isEmpty()) {
            verdict = sending.send(outlet, others, batch.outcomes());
        }
        // Before the suspects: each of them may take the time of a send, and these leases could end meanwhile.
        record(outlet.topic(), batch.outcomes());
        for (Leased suspect : parts.get(true)) {
            verdict = verdict.and(deliverAlone(outlet, batch.alone(suspect), verdict));
        }
        return verdict.and(batch.held());
    }

    /** @param before the result of the messages that were sent before this one */
    private Verdict deliverAlone(Outlet outlet, Batch suspect, Verdict before) {
        try {
            Batch batch = before.isUnavailable() ? suspect : renewed(outlet.topic(), suspect);
            Verdict verdict = Verdict.UNKNOWN;
            if (before.isUnavailable()) {
                batch.open().forEach(leased -> batch.outcomes().giveBack(leased, before.why(), false));
            } else if (!batch.open().isEmpty()) {
                verdict = sending.send(outlet, batch.open(), batch.outcomes());
            }
            record(outlet.topic(), batch.outcomes());
            return verdict.and(batch.held());
        } catch (RuntimeException | Error e) {
            // The caller would drop the leases of the whole batch, and the others may be in another batch by now.
            buckets.abandon(leases.heldIds(suspect.open()));
            return Verdict.unavailable(e.toString());
        }
    }

    /**
     * Returns the messages that may be sent now: none after the end of the term. If the check of the rows is too old, it is repeated, and
     * the registry is asked whether this node still leads.
     */
    Batch renewed(String topic, Batch admitted) {
        Batch batch = admitted;
        if (!term.isActive() || !leases.isFresh(batch.lookedNanos())) {
            if (!term.isConfirmed()) {
                buckets.abandon(leases.heldIds(batch.open()));
                // The outcomes of a leader that may be succeeded are dropped.
                return new Batch(List.of(), batch.outcomes().later(), batch.lookedNanos(), NOT_LEADING);
            }
            release(topic, batch.outcomes());
            batch = admit(batch.open());
        }
        return new Batch(
                leasedLongEnough(topic, batch.open()), batch.outcomes(), batch.lookedNanos(), batch.heldBack());
    }

    /** Records the outcomes, and gives the other messages back to the index. */
    void record(String topic, BatchOutcomes outcomes) {
        if (outcomes.areFinal()) {
            writer.submit(topic, outcomes);
        } else {
            writer.write(outcomes);
            release(topic, outcomes);
        }
    }

    private void release(String topic, BatchOutcomes outcomes) {
        buckets.release(topic, outcomes.unsent(), false);
        buckets.release(topic, outcomes.maybeSent(), true);
    }

    /**
     * Returns the messages that can be sent before their lease ends. A message whose lease has ended may be in another batch,
     * or belong to another leader: the batch may have waited for a thread, or the process may have been frozen.
     */
    private List<Leased> leasedLongEnough(String topic, List<Leased> open) {
        Map<Boolean, List<Leased>> lasting = open.stream().collect(partitioningBy(leases::coversSend));
        List<Leased> late = lasting.get(false);
        if (!late.isEmpty()) {
            LOG.info(
                    "Topic {}: {} messages waited too long for their send; they are given back and delivered again soon",
                    topic,
                    late.size());
            buckets.abandon(leases.heldIds(late));
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
            buckets.settle(Leased.idsByBucket(
                    rows.stream().map(row -> left.remove(row.message().id())).toList()));
            // A crash at this line leaves rows that the index does not know; the auditor schedules them.
            index.schedule(rows.stream()
                    .filter(StoredMessage::isForIndex)
                    .map(StoredMessage::message)
                    .toList());
        });
        buckets.settle(Leased.idsByBucket(left.values()));
    }

    /**
     * The messages of a batch that may be delivered.
     *
     * @param outcomes collects the outcomes of the batch
     * @param lookedNanos when the rows were checked, {@link LeaseClock#nanos()}
     * @param heldBack why other messages of the batch must not be delivered; null = all may be delivered
     */
    record Batch(List<Leased> open, BatchOutcomes outcomes, long lookedNanos, String heldBack) {
        /** One message of this batch, with outcomes of its own and the same look at its row. */
        Batch alone(Leased leased) {
            return new Batch(List.of(leased), outcomes.later(), lookedNanos, null);
        }

        /** What the messages that are held back say about the topic. */
        Verdict held() {
            return heldBack == null ? Verdict.UNKNOWN : Verdict.unavailable(heldBack);
        }
    }
}
