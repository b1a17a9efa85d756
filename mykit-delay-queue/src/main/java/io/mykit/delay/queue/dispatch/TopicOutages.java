package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.lifecycle.OutageLog;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which topics cannot be delivered. If a broker is dead, all its topics fail: the first few have a line each, the others
 * share one line. One object for each term; thread-safe.
 */
final class TopicOutages {
    private static final Logger LOG = LoggerFactory.getLogger(TopicOutages.class);
    private static final int NAMED = 5;

    private final ConcurrentMap<String, OutageLog> named = new ConcurrentHashMap<>();
    private final OutageLog others =
            new OutageLog(LOG, "More topics cannot be delivered", "More topics are delivered again");

    private final BackingOff backingOff;

    /** @param backingOff tells operators the same */
    TopicOutages(BackingOff backingOff) {
        this.backingOff = backingOff;
    }

    void failed(String topic, String why, Duration pause) {
        backingOff.failed(topic, why, pause);
        String text = why + "; next try in " + pause.toMillis() + " ms";
        OutageLog own = named.get(topic);
        if (own == null && (named.size() < NAMED || named.values().removeIf(other -> !other.isFailing()))) {
            own = named.computeIfAbsent(topic, TopicOutages::named);
        }
        if (own == null) {
            others.failed("last " + topic + ": " + text);
        } else {
            own.failed(text);
        }
    }

    void succeeded(String topic) {
        backingOff.succeeded(topic);
        OutageLog own = named.isEmpty() ? null : named.get(topic);
        if (own != null) {
            own.succeeded();
        }
    }

    private static OutageLog named(String topic) {
        return new OutageLog(LOG, "Topic " + topic + " cannot be delivered", "Topic " + topic + " is delivered again");
    }
}
