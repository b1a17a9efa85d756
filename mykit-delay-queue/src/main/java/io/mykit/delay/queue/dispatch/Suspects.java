package io.mykit.delay.queue.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Messages that failed alone, so that the cause may be the message or the broker. The message is the cause if another message
 * of its topic passed after the failure and this message fails again. One object for each term; thread-safe.
 *
 * <p>It keeps a few messages of each topic. A message that was dropped from it is a new suspect at its next failure, and its
 * topic backs off once more.
 */
final class Suspects {
    static final int MAX_PER_TOPIC = 16;

    /** Only topics that have suspects. */
    private final ConcurrentMap<String, Topic> topics = new ConcurrentHashMap<>();

    boolean contains(String topic, String id) {
        Topic known = topics.get(topic);
        return known != null && known.contains(id);
    }

    /** Records that this message failed alone, and that the channel does not know the cause. */
    Failure failed(String topic, String id) {
        Failure[] failure = new Failure[1];
        topics.compute(topic, (name, known) -> {
            Topic current = known == null ? new Topic() : known;
            failure[0] = current.failed(id);
            return current;
        });
        return failure[0];
    }

    /** Records that this message was delivered. */
    void passed(String topic, String id) {
        if (!topics.isEmpty()) {
            topics.computeIfPresent(topic, (name, known) -> known.passed(id));
        }
    }

    /** Forgets a message that ended without a delivery. */
    void forget(String topic, String id) {
        if (!topics.isEmpty()) {
            topics.computeIfPresent(topic, (name, known) -> known.forget(id));
        }
    }

    /**
     * A failure of a message whose cause may be the message or the broker.
     *
     * @param guilty whether other messages passed after its last failure
     * @param times how many times it has failed like this, this failure included; the count restarts when the message was
     *     found guilty
     */
    record Failure(boolean guilty, int times) {
        boolean isFirst() {
            return times == 1 && !guilty;
        }
    }

    /** Changed only inside {@link ConcurrentMap#compute}. */
    private static final class Topic {
        private final Map<String, Suspect> suspects = new LinkedHashMap<>();
        private long passed;

        synchronized boolean contains(String id) {
            return suspects.containsKey(id);
        }

        synchronized Failure failed(String id) {
            Suspect before = suspects.remove(id);
            boolean guilty = before != null && passed > before.passed;
            int times = before == null || guilty ? 1 : before.times + 1;
            suspects.put(id, new Suspect(passed, times));
            if (suspects.size() > MAX_PER_TOPIC) {
                suspects.remove(suspects.keySet().iterator().next());
            }
            return new Failure(guilty, times);
        }

        synchronized Topic passed(String id) {
            passed++;
            return forget(id);
        }

        synchronized Topic forget(String id) {
            suspects.remove(id);
            return suspects.isEmpty() ? null : this;
        }
    }

    /** @param passed how many messages of the topic had passed before the failure */
    private record Suspect(long passed, int times) {}
}
