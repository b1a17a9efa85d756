package io.mykit.delay.core.embedded;

/** A part could not be started. The message is one line for the person who starts the server and names the key to change. */
public final class StartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StartException(String message) {
        super(message);
    }

    public StartException(String message, Throwable cause) {
        super(message, cause);
    }
}
