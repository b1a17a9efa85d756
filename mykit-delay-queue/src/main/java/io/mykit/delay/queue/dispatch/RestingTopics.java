package io.mykit.delay.queue.dispatch;

import io.mykit.delay.queue.bucket.Pulled;
import io.mykit.delay.queue.state.PausedTopics;
import io.mykit.delay.queue.store.TopicPause;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.util.List;
import java.util.stream.Stream;

/**
 * The topics whose deliveries rest: they are paused, or another node delivers them by another channel. A paused topic that consumers
 * pull is not among them. The dispatcher gets only its messages whose holds have ended, and counts their attempts as ever.
 */
record RestingTopics(PausedTopics paused, DifferingTopics differing, Pulled pulled) {
    boolean contains(String topic) {
        return (paused.contains(topic) || differing.contains(topic)) && !pulled.contains(topic);
    }

    /** No more topics than this rest. */
    int most() {
        return (int) Math.min(Integer.MAX_VALUE, (long) paused.most() + differing.most());
    }

    List<String> names() {
        return Stream.concat(paused.all().stream().map(TopicPause::topic), differing.topics().stream())
                .filter(topic -> !pulled.contains(topic))
                .toList();
    }
}
