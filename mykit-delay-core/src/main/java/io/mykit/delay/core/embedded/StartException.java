package io.mykit.delay.core.embedded;

/** A part of the server could not start. Its message is one line for the operator and names the key to change. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
