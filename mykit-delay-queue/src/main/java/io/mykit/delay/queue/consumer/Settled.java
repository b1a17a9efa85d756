package io.mykit.delay.queue.consumer;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.util.Optional;

/**
 * The result for one {@link Settlement}.
 *
 * @param result null if there is a failure
 * @param recorded false = the outcome is safe in the index, and the store takes it later
 * @param leaseUntilMs the end of an extended hold, epoch milliseconds; 0 = no hold
 * @param failure null = no failure
 */
public record Settled(String id, SettleResult result, boolean recorded, long leaseUntilMs, DelayException failure) {
    /** A result of which the store knows. */
    public static Settled of(String id, SettleResult result) {
        return new Settled(id, result, true, 0, null);
    }

    /** The message could not be settled. */
    public static Settled failed(String id, DelayException failure) {
        return new Settled(id, null, false, 0, failure);
    }

    /**
     * The error of a message that was not settled, with its reason for a person: {@link #failure}, or LEASE_LOST, NOT_PULLABLE,
     * ALREADY_FINISHED or NOT_FOUND. Empty if it is settled.
     */
    public Optional<DelayException> refusal() {
        if (failure != null) {
            return Optional.of(failure);
        }
        return switch (result) {
            case DONE -> Optional.empty();
            case LEASE_LOST ->
                refused(
                        ErrorCode.LEASE_LOST,
                        "the lease of message " + id + " has ended, or another consumer holds the message");
            case NOT_PULLABLE ->
                refused(
                        ErrorCode.NOT_PULLABLE,
                        "message " + id + " is not pulled: the channel of its topic is not pull"
                                + " (mykit.delay.delivery.topics.<topic>)");
            case ALREADY_FINISHED -> refused(ErrorCode.ALREADY_FINISHED, "message " + id + " is already finished");
            case NOT_FOUND -> Optional.of(DelayException.unknown(id));
        };
    }

    private static Optional<DelayException> refused(ErrorCode code, String why) {
        return Optional.of(new DelayException(code, why));
    }
}
