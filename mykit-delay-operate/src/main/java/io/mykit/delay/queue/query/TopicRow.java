package io.mykit.delay.queue.query;

import io.mykit.delay.queue.bucket.TopicCount;
import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import io.mykit.delay.queue.store.TopicPause;
import java.util.Optional;

/**
 * One topic in the list of all topics.
 *
 * @param channel the name of the topic's channel
 * @param count its messages in the index
 * @param dead its dead letters, as they were at most a minute before
 * @param oldestOverdueMs for how long its first message has been due, milliseconds; 0 = no message is overdue
 * @param pause the pause of the topic; empty = the topic is not paused
 * @param differs which node delivers it by another channel, so that it waits; empty = no node, or this node does not lead
 * @param backsOff why the topic cannot be delivered; empty = it can, or this node does not lead
 */
public record TopicRow(
        String channel,
        TopicCount count,
        long dead,
        long oldestOverdueMs,
        Optional<TopicPause> pause,
        Optional<TopicDifferences.Difference> differs,
        Optional<FailingTopics.Topic> backsOff) {
    public String topic() {
        return count.topic();
    }

    /** Empty = its messages are delivered in time, as far as this node knows. */
    public Optional<TopicTrouble> trouble() {
        return TopicTrouble.of(
                channel, count.held(), oldestOverdueMs, pause.isPresent(), differs.isPresent(), backsOff.isPresent());
    }
}
