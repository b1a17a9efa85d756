package io.mykit.delay.channel;

/** Turns what a client library threw into one line for the flow log. */
public final class Reasons {
    private static final int MAX_LENGTH = 200;

    private Reasons() {}

    /** The kind and the first line of the message, shortened; the innermost cause where the outer has no message. */
    public static String of(Throwable thrown) {
        Throwable telling = thrown;
        while (telling.getMessage() == null && telling.getCause() != null) {
            telling = telling.getCause();
        }
        String message = telling.getMessage() == null ? "" : ": " + telling.getMessage();
        return shortened(telling.getClass().getSimpleName() + message);
    }

    /** The first line, cut where it gets long. */
    public static String shortened(String message) {
        String line = message.lines().findFirst().orElse("");
        return line.length() <= MAX_LENGTH ? line : line.substring(0, MAX_LENGTH);
    }
}
