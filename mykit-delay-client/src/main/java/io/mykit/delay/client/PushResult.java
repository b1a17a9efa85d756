package io.mykit.delay.client;

import java.util.Optional;

/**
 * The outcome of one message of a batch.
 *
 * @param id of the message
 * @param failure why the message was not accepted; empty = it is accepted
 */
public record PushResult(String id, Optional<DelayClientException> failure) {
    public boolean isAccepted() {
        return failure.isEmpty();
    }

    /** Returns the id, or throws the failure. */
    public String orThrow() {
        failure.ifPresent(thrown -> {
            throw thrown;
        });
        return id;
    }
}
