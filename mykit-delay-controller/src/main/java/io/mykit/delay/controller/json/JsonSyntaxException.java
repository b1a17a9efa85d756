package io.mykit.delay.controller.json;

/** The text is not JSON; the message says what was expected where, fit for the caller. */
public final class JsonSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JsonSyntaxException(String what, int offset) {
        this(what + " at character " + (offset + 1));
    }

    JsonSyntaxException(String message) {
        // A client's mistake: nobody reads its stack.
        super(message, null, false, false);
    }
}
