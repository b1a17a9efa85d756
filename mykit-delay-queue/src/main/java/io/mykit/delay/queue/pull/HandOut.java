package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.HoldReceipt;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.consumer.PulledMessage;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.state.PausedTopics;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands messages out: it takes them from the ready lists under a hold, and looks at their rows. Thread-safe;
 * blocks.
 *
 * <p>A crash in between leaves messages under a hold that no consumer knows. The hold ends, and the leader counts an attempt.
 */
final class HandOut {
    private static final Logger LOG = LoggerFactory.getLogger(HandOut.class);
    /** After this time a hand-out does not go on because messages were dropped. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So many messages are taken after a turn in which all were dropped: probably the next ones are to be dropped, too. */
    private static final int MANY = 100;

    private final HoldIndex index;
    private final ReadyLists lists;
    private final LastLook look;
    private final RetryPolicies policies;
    private final PausedTopics paused;
    private final Duration ttr;
    private final InstantSource clock;
    private final LongSupplier nanoTime;

    /** @param ttr of messages for which neither the consumer nor the producer gave one */
    HandOut(
            HoldIndex index,
            ReadyLists lists,
            LastLook look,
            RetryPolicies policies,
            PausedTopics paused,
            Duration ttr,
            InstantSource clock,
            LongSupplier nanoTime) {
        this.index = index;
        this.lists = lists;
        this.look = look;
        this.policies = policies;
        this.paused = paused;
        this.ttr = ttr;
        this.clock = clock;
        this.nanoTime = nanoTime;
    }

    /**
     * Hands messages out: at most {@code count}, and fewer if their bodies are too large to be in memory together, or if many
     * messages that have ended are in front of them.
     *
     * @param topics that may have messages, in order of priority
     * @param asked the ttr that the consumer asked for; null = none
     * @param consumer its name; empty = several consumers, whose names follow
     * @param where to look
     * @throws DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE; then no message is under a hold, or the holds end soon
     */
    Found handOut(List<String> topics, int count, Duration asked, String consumer, Looks.Where where) {
        look.requireStore();
        Order order = new Order(count, asked == null ? ttr : asked, asked == null, consumer, where == Looks.Where.ALL);
        for (String topic : topics) {
            // The rows of some messages may say that they have ended. The next ones may be good.
            boolean again = true;
            order.vain = false;
            while (again && order.wantsMore() && !paused.contains(topic)) {
                try {
                    again = order.handOut(topic) && !order.endsEarly();
                } catch (DelayException e) {
                    if (order.all.isEmpty()) {
                        throw e;
                    }
                    // The consumers get the messages that they hold already.
                    return new Found(order.all, false, false);
                }
            }
        }
        return new Found(order.all, order.full, order.early);
    }

    /**
     * Messages for consumers.
     *
     * @param full whether the bounds ended the hand-out: there may be more messages
     * @param early whether the hand-out ended because it took long: another one must go on
     */
    record Found(List<PulledMessage> messages, boolean full, boolean early) {}

    /** One call. Used by one thread. */
    private final class Order {
        private final List<PulledMessage> all = new ArrayList<>();
        private final int count;
        private final Duration hold;
        private final boolean ownTtrCounts;
        private final String consumer;
        private final boolean everywhere;
        private long room = BodyBounds.TOGETHER;
        private final long begunNanos = nanoTime.getAsLong();
        private boolean full;
        private boolean early;
        /** The last turn at this topic dropped all its messages. */
        private boolean vain;

        Order(int count, Duration hold, boolean ownTtrCounts, String consumer, boolean everywhere) {
            this.count = count;
            this.hold = hold;
            this.ownTtrCounts = ownTtrCounts;
            this.consumer = consumer;
            this.everywhere = everywhere;
        }

        boolean wantsMore() {
            return all.size() < count && room > 0;
        }

        /** Whether this hand-out ends here although messages were dropped. */
        boolean endsEarly() {
            early |= wantsMore() && nanoTime.getAsLong() - begunNanos > PATIENCE_NANOS;
            return early;
        }

        /** Returns whether messages were dropped, so that another try may find others in their place. */
        boolean handOut(String topic) {
            String receipt = HoldReceipt.draw(clock.millis(), consumer);
            int wanted = count - all.size();
            Portion rest = new Portion(vain ? Math.max(wanted, MANY) : wanted, (int) room, all.isEmpty());
            ReadyLists.Taken taken = lists.handOut(topic, rest, everywhere, hold, receipt);
            full = taken.full();
            Map<DelayMessage, Long> untilMs = new HashMap<>();
            Map<String, Integer> before = new HashMap<>();
            List<DelayMessage> handedOut = new ArrayList<>();
            for (Handout handout : taken.handouts()) {
                handout.messages().forEach(message -> untilMs.put(message, handout.untilMs()));
                handedOut.addAll(handout.messages());
                before.putAll(handout.handed());
            }
            if (handedOut.isEmpty()) {
                return false;
            }
            Map<DelayMessage, Integer> admitted = look.admit(handedOut, receipt);
            vain = admitted.isEmpty();
            List<DelayMessage> open = List.copyOf(admitted.keySet());
            List<DelayMessage> some = open.subList(0, Math.min(wanted, open.size()));
            if (ownTtrCounts) {
                giveOwnHolds(some, receipt, untilMs);
            }
            for (DelayMessage message : some) {
                int earlier = before.getOrDefault(message.id(), 0);
                all.add(pulled(message, admitted.get(message), earlier, receipt, untilMs.get(message)));
                room -= message.characters();
            }
            if (some.size() < open.size()) {
                full = true;
                release(open.subList(some.size(), open.size()), receipt);
            }
            return admitted.size() < handedOut.size();
        }
    }

    /** Nobody wants these messages now. */
    private void release(List<DelayMessage> surplus, String receipt) {
        try {
            index.release(held(surplus, receipt), false);
        } catch (IndexUnavailableException e) {
            LOG.debug("{} messages that no consumer wanted wait for the end of their holds", surplus.size(), e);
        }
    }

    /**
     * Gives the messages with a ttr of their own a hold of that length.
     *
     * @param untilMs the ends of the holds, which this call changes
     */
    private void giveOwnHolds(List<DelayMessage> messages, String receipt, Map<DelayMessage, Long> untilMs) {
        Map<Long, List<DelayMessage>> byTtr = new TreeMap<>();
        for (DelayMessage message : messages) {
            long own = message.extras().ttrMs();
            if (own != 0 && own != ttr.toMillis()) {
                byTtr.computeIfAbsent(own, any -> new ArrayList<>()).add(message);
            }
        }
        byTtr.forEach((ownMs, some) -> hold(some, ownMs, receipt, untilMs));
    }

    private void hold(List<DelayMessage> messages, long ownMs, String receipt, Map<DelayMessage, Long> untilMs) {
        try {
            Map<String, Long> ends = index.extend(held(messages, receipt), Duration.ofMillis(ownMs));
            messages.forEach(message ->
                    untilMs.computeIfPresent(message, (same, before) -> ends.getOrDefault(message.id(), before)));
        } catch (IndexUnavailableException e) {
            LOG.debug("{} messages have holds of their own length or of the default one", messages.size(), e);
            long less = Math.max(0, ttr.toMillis() - ownMs);
            messages.forEach(message -> untilMs.merge(message, -less, Long::sum));
        }
    }

    private static List<Held> held(List<DelayMessage> messages, String receipt) {
        return messages.stream().map(message -> new Held(message.id(), receipt)).toList();
    }

    /** @param earlier how often consumers had it before; the index does not know it after a loss, but the row has the attempts */
    private PulledMessage pulled(DelayMessage message, int attempts, int earlier, String receipt, long untilMs) {
        return new PulledMessage(
                message,
                attempts + 1,
                Math.max(attempts, earlier) + 1,
                policies.of(message).maxAttempts(),
                new Receipt(receipt, message.version(), attempts).text(),
                untilMs);
    }
}
