package io.mykit.delay.queue.query;

import io.mykit.delay.queue.dispatch.BackingOff;
import java.util.Optional;

/**
 * Whether a topic can be delivered.
 *
 * @param known whether this node leads. Only the leader knows it
 * @param backsOff why it cannot be delivered; empty = it can, or this node does not know it
 */
public record TopicState(boolean known, Optional<BackingOff.Topic> backsOff) {}
