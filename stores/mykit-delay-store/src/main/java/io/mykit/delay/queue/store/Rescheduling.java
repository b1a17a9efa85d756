package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DelayMessage;

/**
 * A new due time for a stored message, together with a status change. The content stays.
 *
 * @param message the next version after the version of the transition, with the new due time; no retry has moved it
 */
public record Rescheduling(DelayMessage message, Transition transition) {
    public Rescheduling {
        if (!message.id().equals(transition.id()) || message.version() != transition.version() + 1) {
            throw new IllegalArgumentException(message + " is not the next version after version "
                    + transition.version() + " of " + transition.id());
        }
    }
}
