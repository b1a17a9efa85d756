package io.mykit.delay.client;

/** A call failed. The subclass says why. */
public abstract class DelayClientException extends RuntimeException {
    private final boolean inDoubt;

    DelayClientException(String message, Throwable cause, boolean inDoubt) {
        super(message, cause);
        this.inDoubt = inDoubt;
    }

    /**
     * The same failure with a message that begins with this text, which names the call for example. Its cause is this exception.
     */
    public abstract DelayClientException about(String text);

    /**
     * Whether the call may have been carried out all the same: the answer to one of its tries was lost. A push or a cancel is
     * safe to repeat then, with the same {@link Message} or id.
     */
    public final boolean isInDoubt() {
        return inDoubt;
    }
}
