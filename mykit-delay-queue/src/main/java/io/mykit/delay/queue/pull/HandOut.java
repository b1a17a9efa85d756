package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.bucket.Handout;
import io.mykit.delay.queue.bucket.Held;
import io.mykit.delay.queue.bucket.HoldIndex;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
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
 * Hands messages out for one order: it takes them from the ready lists under a hold, and looks at their rows. Thread-safe;
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
     * Hands messages out.
     *
     * @param topics those of the order that may have messages, in order of priority
     * @return empty if there are none
     * @throws DelayException STORE_UNAVAILABLE or INDEX_UNAVAILABLE; then no message is under a hold, or the holds end soon
     */
    List<PulledMessage> handOut(PullOrder order, List<String> topics) {
        look.requireStore();
        List<PulledMessage> all = new ArrayList<>();
        for (String topic : topics) {
            // The rows of some messages may say that they have ended. The next ones may be good.
            boolean more = !paused.contains(topic);
            while (more && all.size() < order.count()) {
                more = add(order, topic, all);
            }
        }
        return all;
    }

    /** Returns whether another try can find more. */
    private boolean add(PullOrder order, String topic, List<PulledMessage> all) {
        String receipt = Receipt.draw();
        Duration hold = order.ttr() == null ? ttr : order.ttr();
        int wanted = order.count() - all.size();
        Map<DelayMessage, Long> untilMs = new HashMap<>();
        List<DelayMessage> handedOut = new ArrayList<>();
        try {
            for (Handout handout : lists.handOut(topic, wanted, hold, receipt)) {
                handout.messages().forEach(message -> untilMs.put(message, handout.untilMs()));
                handedOut.addAll(handout.messages());
            }
            if (handedOut.isEmpty()) {
                return false;
            }
            Map<DelayMessage, Integer> admitted = look.admit(handedOut, receipt);
            if (order.ttr() == null) {
                untilMs.putAll(ownHolds(admitted.keySet(), receipt));
            }
            admitted.forEach((message, attempts) -> all.add(pulled(message, attempts, receipt, untilMs.get(message))));
            return admitted.size() < handedOut.size();
        } catch (DelayException e) {
            if (all.isEmpty()) {
                throw e;
            }
            // The consumer gets the messages that it holds already.
            return false;
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
