package io.mykit.delay.channel.hosts;

import io.mykit.delay.common.message.DelayMessage;
import java.util.Optional;

/** Finds the request that a message asks for: that of its {@code target}, or that of its topic. Immutable. */
public interface Requests {
    /**
     * The request of a message; empty if neither the message nor its topic names a receiver.
     *
     * @throws IllegalArgumentException if the message has a fault that no setting can mend; the message names the field
     */
    Optional<Request> of(DelayMessage message);

    /** The request of messages without a target; empty if their topic has no receiver. */
    Optional<Request> ofTopic(String topic);

    /** The reason why a message without a target cannot be sent: its topic has no receiver. */
    String missing(String topic);

    /** The field of a target that names the receiver, for messages to a person: {@code target.url}. */
    String field();
}
