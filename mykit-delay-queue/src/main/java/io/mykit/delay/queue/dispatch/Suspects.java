package io.mykit.delay.queue.dispatch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Messages that failed alone, while it was unclear whether they or the broker are to blame. Such a message is to blame if
 * another message of its topic has passed since it failed and it fails again. For one term; thread-safe.
 *
 * <p>Knows a few messages per topic at most: a message that is forgotten is a new suspect at its next failure, and its
 * topic backs off once more.
 */
final class Suspects {
    static final int MAX_PER_TOPIC = 16;

    /** Topics with suspects only. */
    private final ConcurrentMap<String, Topic> topics = new ConcurrentHashMap<>();

    boolean contains(String topic, String id) {
        Topic known = topics.get(topic);
        return known != null && known.contains(id);
    }

    /** This message failed alone, and the channel does not know why. */
    Failure failed(String topic, String id) {
        Failure[] failure = new Failure[1];
        topics.compute(topic, (name, known) -> {
            Topic current = known == null ? new Topic() : known;
            failure[0] = current.failed(id);
            return current;
        });
        return failure[0];
    }

    /** This message was delivered. */
    void passed(String topic, String id) {
        if (!topics.isEmpty()) {
            topics.computeIfPresent(topic, (name, known) -> known.passed(id));
        }
    }

    /** This message has ended otherwise. */
    void forget(String topic, String id) {
        if (!topics.isEmpty()) {
            topics.computeIfPresent(topic, (name, known) -> known.forget(id));
        }
    }

    /**
     * A failure of a message that was alone.
     *
     * @param guilty others have passed since its last failure
     * @param times how often it has failed so, this one included; begins anew when it was found guilty
     */
    record Failure(boolean guilty, int times) {
        boolean isFirst() {
            return times == 1 && !guilty;
        }
    }

    /** Changed inside {@link ConcurrentMap#compute} only. */
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

    /** @param passed messages of the topic that had passed when it failed */
    private record Suspect(long passed, int times) {}
}
