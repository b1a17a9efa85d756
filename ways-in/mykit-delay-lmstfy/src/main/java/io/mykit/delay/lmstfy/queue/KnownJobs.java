package io.mykit.delay.lmstfy.queue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The jobs that this node handed out last. An ack, which names job and queue, needs no look at the row of a known job, and ends its hold by the
 * receipt. Only a look at the row says that there is no such job. Thread-safe.
 */
final class KnownJobs {
    private static final int MOST = 20_000;

    /** By the id in the engine; guarded by this. */
    private final Map<String, Handed> jobs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Handed> eldest) {
            return size() > MOST;
        }
    };

    /**
     * A job that was handed out.
     *
     * @param receipt of its latest hold here; the hold may have ended
     */
    record Handed(String topic, String receipt) {}

    synchronized void note(String id, String topic, String receipt) {
        jobs.put(id, new Handed(topic, receipt));
    }

    synchronized Optional<Handed> find(String id) {
        return Optional.ofNullable(jobs.get(id));
    }

    synchronized void forget(String id) {
        jobs.remove(id);
    }
}
