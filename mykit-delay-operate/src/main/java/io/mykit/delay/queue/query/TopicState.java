package io.mykit.delay.queue.query;

import io.mykit.delay.queue.state.FailingTopics;
import io.mykit.delay.queue.state.TopicDifferences;
import java.util.Optional;

/**
 * Whether a topic can be delivered.
 *
 * @param known whether this node leads. Only the leader knows it
 * @param differs which node delivers it by another channel, so that it waits; empty = no node, or this node does not know it
 * @param backsOff why it cannot be delivered; empty = it can, or this node does not know it
 */
public record TopicState(
        boolean known, Optional<TopicDifferences.Difference> differs, Optional<FailingTopics.Topic> backsOff) {}
