package io.mykit.delay.client;

/** No endpoint gave a final answer for as long as the client was to try. The message has the last reason. */
public final class DelayUnavailableException extends DelayClientException {
    DelayUnavailableException(String message, Throwable cause, boolean inDoubt) {
        super(message, cause, inDoubt);
    }

    @Override
    public DelayUnavailableException about(String text) {
        return new DelayUnavailableException(text + ": " + getMessage(), this, isInDoubt());
    }
}
