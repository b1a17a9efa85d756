package io.mykit.delay.client;

/** The server refused a call. The same call would be refused again. */
public final class DelayRequestException extends DelayClientException {
    private final int status;
    private final String error;

    DelayRequestException(int status, String error, String message, boolean inDoubt) {
        super("HTTP " + status + (error.isEmpty() ? "" : " " + error) + ": " + message, null, inDoubt);
        this.status = status;
        this.error = error;
    }

    private DelayRequestException(String text, DelayRequestException refusal) {
        super(text + ": " + refusal.getMessage(), refusal, refusal.isInDoubt());
        this.status = refusal.status;
        this.error = refusal.error;
    }

    @Override
    public DelayRequestException about(String text) {
        return new DelayRequestException(text, this);
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The stable word for programs, such as {@code INVALID_REQUEST}; empty if the answer was not one of mykit-delay. */
    public String error() {
        return error;
    }
}
