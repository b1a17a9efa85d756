package io.mykit.delay.common.error;

/** A failure with an {@link ErrorCode}. A caller may see its message, which holds no secrets and no internals. */
public class DelayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    public DelayException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    public DelayException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** NOT_FOUND: no message has this id. */
    public static DelayException unknown(String id) {
        return new DelayException(ErrorCode.NOT_FOUND, "message " + id + " is not known");
    }

    public ErrorCode code() {
        return code;
    }
}
