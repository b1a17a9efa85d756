package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.Portion;
import io.mykit.delay.queue.retry.RetryPolicies;
import io.mykit.delay.queue.topic.PausedTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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

    private final HoldIndex index;
    private final ReadyLists lists;
    private final LastLook look;
    private final RetryPolicies policies;
    private final PausedTopics paused;
    private final Duration ttr;

    /** @param ttr of messages for which neither the consumer nor the producer gave one */
    HandOut(
            HoldIndex index,
            ReadyLists lists,
            LastLook look,
            RetryPolicies policies,
            PausedTopics paused,
            Duration ttr) {
        this.index = index;
        this.lists = lists;
        this.look = look;
        this.policies = policies;
        this.paused = paused;
        this.ttr = ttr;
    }

    /**
     * Hands messages out: at most {@code count}, and fewer if their bodies are too large to be in memory together.
     *
     * @param topics that may have messages, in order of priority
     * @param asked the ttr that the consumer asked for; null = none
     * @param where to look
     * @throws DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE; then no message is under a hold, or the holds end soon
     */
    Found handOut(List<String> topics, int count, Duration asked, Looks.Where where) {
        look.requireStore();
        Order order = new Order(count, asked == null ? ttr : asked, asked == null, where == Looks.Where.ALL);
        for (String topic : topics) {
            // The rows of some messages may say that they have ended. The next ones may be good.
            boolean again = !paused.contains(topic);
            while (again && order.wantsMore()) {
                try {
                    again = order.handOut(topic);
                } catch (DelayException e) {
                    if (order.all.isEmpty()) {
                        throw e;
                    }
                    // The consumers get the messages that they hold already.
                    return new Found(order.all, false);
                }
            }
        }
        return new Found(order.all, order.full);
    }

    /**
     * Messages for consumers.
     *
     * @param full whether the bounds ended the hand-out: there may be more messages
     */
    record Found(List<PulledMessage> messages, boolean full) {}

    /** One call. Used by one thread. */
    private final class Order {
        private final List<PulledMessage> all = new ArrayList<>();
        private final int count;
        private final Duration hold;
        private final boolean ownTtrCounts;
        private final boolean everywhere;
        private long room = BodyBounds.TOGETHER;
        private boolean full;

        Order(int count, Duration hold, boolean ownTtrCounts, boolean everywhere) {
            this.count = count;
            this.hold = hold;
            this.ownTtrCounts = ownTtrCounts;
            this.everywhere = everywhere;
        }

        boolean wantsMore() {
            return all.size() < count && room > 0;
        }

        /** Returns whether messages were dropped, so that another try may find others in their place. */
        boolean handOut(String topic) {
            String receipt = Receipt.draw();
            Portion rest = new Portion(count - all.size(), (int) room, all.isEmpty());
            ReadyLists.Taken taken = lists.handOut(topic, rest, everywhere, hold, receipt);
            full = taken.full();
            Map<DelayMessage, Long> untilMs = new HashMap<>();
            List<DelayMessage> handedOut = new ArrayList<>();
            for (Handout handout : taken.handouts()) {
                handout.messages().forEach(message -> untilMs.put(message, handout.untilMs()));
                handedOut.addAll(handout.messages());
            }
            if (handedOut.isEmpty()) {
                return false;
            }
            Map<DelayMessage, Integer> admitted = look.admit(handedOut, receipt);
            if (ownTtrCounts) {
                untilMs.putAll(ownHolds(admitted.keySet(), receipt));
            }
            admitted.forEach((message, attempts) -> {
                all.add(pulled(message, attempts, receipt, untilMs.get(message)));
                room -= message.characters();
            });
            return admitted.size() < handedOut.size();
        }
    }

    /** Gives the messages with a ttr of their own a hold of that length. Returns the ends of these holds. */
    private Map<DelayMessage, Long> ownHolds(Iterable<DelayMessage> messages, String receipt) {
        Map<Long, List<DelayMessage>> byTtr = new TreeMap<>();
        for (DelayMessage message : messages) {
            long own = message.extras().ttrMs();
            if (own != 0 && own != ttr.toMillis()) {
                byTtr.computeIfAbsent(own, any -> new ArrayList<>()).add(message);
            }
        }
        Map<DelayMessage, Long> ends = new HashMap<>();
        byTtr.forEach((own, some) -> ends.putAll(extended(some, Duration.ofMillis(own), receipt)));
        return ends;
    }

    private Map<DelayMessage, Long> extended(List<DelayMessage> messages, Duration own, String receipt) {
        List<Held> held = messages.stream()
                .map(message -> new Held(message.id(), receipt))
                .toList();
        Map<DelayMessage, Long> ends = new HashMap<>();
        try {
            Map<String, Long> byId = index.extend(held, own);
            for (DelayMessage message : messages) {
                Long end = byId.get(message.id());
                if (end != null) {
                    ends.put(message, end);
                }
            }
        } catch (IndexUnavailableException e) {
            LOG.debug("{} messages keep holds of the default length", messages.size(), e);
        }
        return ends;
    }

    private PulledMessage pulled(DelayMessage message, int attempts, String receipt, long untilMs) {
        return new PulledMessage(
                message,
                attempts + 1,
                policies.of(message).maxAttempts(),
                new Receipt(receipt, message.version(), attempts).text(),
                untilMs);
    }
}
