package io.mykit.delay.lmstfy.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The topics of the jobs that this node handed out last, so that an ack, which names job and queue, needs no look at the row. Only a look at
 * the row says that there is no such job. Thread-safe.
 */
final class KnownJobs {
    private static final int MOST = 20_000;

    /** By the id in the engine; guarded by this. */
    private final Map<String, String> topics = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    synchronized void note(String id, String topic) {
        topics.put(id, topic);
    }

    synchronized Optional<String> topic(String id) {
        return Optional.ofNullable(topics.get(id));
    }

    synchronized void forget(String id) {
        topics.remove(id);
    }
}
