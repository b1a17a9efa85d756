package io.mykit.delay.channel;

/** Turns an exception of a client library into one line for the flow log. Stateless. */
public final class Reasons {
    private static final int MAX_LENGTH = 200;

    private Reasons() {}

    /**
     * The class of the exception and the first line of its message, shortened; of the innermost cause if the outer
     * exception has no message.
     */
    public static String of(Throwable thrown) {
        Throwable telling = thrown;
        while (telling.getMessage() == null && telling.getCause() != null) {
            telling = telling.getCause();
        }
        String message = telling.getMessage() == null ? "" : ": " + telling.getMessage();
        return shortened(telling.getClass().getSimpleName() + message);
    }

    /** The first line, cut if it is too long. */
    public static String shortened(String message) {
        String line = message.lines().findFirst().orElse("");
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH);
    }
}
