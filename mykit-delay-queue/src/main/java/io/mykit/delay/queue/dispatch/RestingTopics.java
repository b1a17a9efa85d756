package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.bucket.PulledTopics;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.topic.PausedTopics;
import java.util.List;

/**
 * The topics whose deliveries rest: they are paused. A paused topic that consumers pull is not among them. The dispatcher gets only
 * its messages whose holds have ended, and counts their attempts as ever.
 */
record RestingTopics(PausedTopics paused, PulledTopics pulled) {
    boolean contains(String topic) {
        return paused.contains(topic) && !pulled.contains(topic);
    }

    /** No more topics than this rest. */
    int most() {
        return paused.most();
    }

    List<String> names() {
        return paused.all().stream()
                .map(TopicPause::topic)
                .filter(topic -> !pulled.contains(topic))
                .toList();
    }
}
