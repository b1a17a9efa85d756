package io.mykit.delay.client;

import java.util.Optional;

/**
 * The outcome of one message of a batch, or of a push with a wait.
 *
 * @param id of the message
 * @param failure why the message was not accepted; empty = it is accepted, always so after a push that waited
 * @param job the message at the end of the wait; empty = the push did not wait, or the server could not read the message
 * @param status the status of the message, if the same push was accepted before, perhaps by an earlier try of this call; empty =
 *     this push made or changed the message, or failed
 */
public record PushResult(
        String id, Optional<DelayClientException> failure, Optional<MessageView> job, Optional<MessageStatus> status) {
    /** The outcome of a push that did not wait. */
    public PushResult(String id, Optional<DelayClientException> failure) {
        this(id, failure, Optional.empty(), Optional.empty());
    }

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
