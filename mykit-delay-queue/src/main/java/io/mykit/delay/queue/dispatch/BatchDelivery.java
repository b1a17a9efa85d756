package io.mykit.delay.queue.dispatch;

import static java.util.stream.Collectors.partitioningBy;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.lifecycle.Backoff;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.MessageStatus;
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
    private final ChannelCall call = new ChannelCall();
    private final Suspects suspects = new Suspects();

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
        scheduleCurrent(passage.replaced());
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
        Outcomes outcomes = batch.outcomes();
        List<Leased> live = dropExpired(leasedLongEnough(topic, batch.open()), outcomes);
        Verdict verdict = live.isEmpty() ? Verdict.USABLE : deliver(channel, topic, live, outcomes);
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
     * Those that can be sent before their lease ends. After that they may be another batch's, or another leader's: the batch may
     * have waited for a thread, or the process may have been frozen.
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

    private List<Leased> dropExpired(List<Leased> open, Outcomes outcomes) {
        long nowMs = clock.millis();
        List<Leased> live = new ArrayList<>(open.size());
        for (Leased leased : open) {
            if (leased.message().isExpired(nowMs)) {
                outcomes.end(leased, MessageStatus.EXPIRED, nowMs, outcomes.attempts(leased), "ttl ran out");
                suspects.forget(leased.message().topic(), leased.id());
                meters.expired();
            } else {
                live.add(leased);
            }
        }
        return live;
    }

    /** Suspects go alone and after the others, so that a message that is to blame is no harm to its neighbours. */
    private Verdict deliver(DeliveryChannel channel, String topic, List<Leased> live, Outcomes outcomes) {
        Map<Boolean, List<Leased>> parts =
                live.stream().collect(partitioningBy(leased -> suspects.contains(topic, leased.id())));
        List<Leased> others = parts.get(false);
        Verdict verdict = others.isEmpty() ? Verdict.UNKNOWN : send(channel, topic, others, outcomes);
        for (Leased suspect : parts.get(true)) {
            if (verdict.isUnavailable()) {
                outcomes.giveBack(suspect, verdict.why());
            } else {
                verdict = verdict.and(send(channel, topic, List.of(suspect), outcomes));
            }
        }
        return verdict;
    }

    private Verdict send(DeliveryChannel channel, String topic, List<Leased> batch, Outcomes outcomes) {
        List<Delivery> fates = call.deliver(channel, topic, batch);
        int lastDelivered = lastDelivered(fates);
        long nowMs = clock.millis();
        Verdict verdict = Verdict.UNKNOWN;
        for (int i = 0; i < batch.size(); i++) {
            Leased leased = batch.get(i);
            Delivery fate = fates.get(i);
            verdict = verdict.and(
                    switch (fate.kind()) {
                        case DELIVERED -> delivered(leased, nowMs, outcomes);
                        case UNAVAILABLE -> unavailable(leased, fate.detail(), outcomes);
                        case UNCLEAR -> {
                            if (i < lastDelivered) {
                                yield failed(leased, fate.detail(), nowMs, outcomes);
                            }
                            boolean some = lastDelivered >= 0;
                            yield some || batch.size() == 1
                                    ? unclear(leased, some, fate.detail(), nowMs, outcomes)
                                    : unavailable(leased, fate.detail(), outcomes);
                        }
                        case FAILED -> failed(leased, fate.detail(), nowMs, outcomes);
                        case REFUSED -> dead(leased, outcomes.attempts(leased) + 1, fate.detail(), nowMs, outcomes);
                    });
        }
        return verdict;
    }

    private static int lastDelivered(List<Delivery> fates) {
        int last = fates.size() - 1;
        while (last >= 0 && fates.get(last).kind() != Delivery.Kind.DELIVERED) {
            last--;
        }
        return last;
    }

    private Verdict delivered(Leased leased, long nowMs, Outcomes outcomes) {
        outcomes.end(leased, MessageStatus.FINISH, nowMs, outcomes.attempts(leased), "");
        suspects.passed(leased.message().topic(), leased.id());
        meters.delivered(nowMs - leased.message().dueTimeMs(), outcomes.cameOverdue(leased));
        return Verdict.USABLE;
    }

    private static Verdict unavailable(Leased leased, String why, Outcomes outcomes) {
        outcomes.giveBack(leased, why);
        return Verdict.unavailable(why);
    }

    /**
     * A message that failed alone, or after the last one that passed. It steps aside, so that the next probe of the topic is
     * another message: if that one passes, this one is to blame when it fails again.
     */
    private Verdict unclear(Leased leased, boolean othersPassed, String why, long nowMs, Outcomes outcomes) {
        Suspects.Failure failure = suspects.failed(leased.message().topic(), leased.id());
        if (failure.guilty()) {
            return failed(leased, why, nowMs, outcomes);
        }
        outcomes.retry(leased, backoff.after(failure.times()), nowMs, outcomes.attempts(leased), "not counted: " + why);
        meters.retried();
        return failure.isFirst() && !othersPassed ? Verdict.unavailable(why) : Verdict.UNKNOWN;
    }

    private Verdict failed(Leased leased, String detail, long nowMs, Outcomes outcomes) {
        int attempts = outcomes.attempts(leased) + 1;
        if (maxAttempts > 0 && attempts >= maxAttempts) {
            return dead(leased, attempts, detail, nowMs, outcomes);
        }
        outcomes.retry(leased, backoff.after(attempts), nowMs, attempts, detail);
        meters.retried();
        return Verdict.USABLE;
    }

    private Verdict dead(Leased leased, int attempts, String detail, long nowMs, Outcomes outcomes) {
        LOG.warn(
                "Message {} of topic {} is a dead letter: {}",
                leased.id(),
                leased.message().topic(),
                detail);
        outcomes.end(leased, MessageStatus.FAILED, nowMs, attempts, detail);
        suspects.forget(leased.message().topic(), leased.id());
        meters.dead();
        return Verdict.USABLE;
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
