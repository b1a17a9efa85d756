package io.mykit.delay.access;

/** What tells the calls of browsers from those of programs, and what a refusal says of their headers. Stateless. */
public final class Browsers {
    /** The begin of each browser's name. */
    private static final String NAME = "Mozilla/";

    private static final int MAX_QUOTED = 100;

    private Browsers() {}

    /**
     * Whether a browser makes the call.
     *
     * @param agent the header {@code User-Agent}, or null
     */
    public static boolean isNamed(String agent) {
        return agent != null && agent.startsWith(NAME);
    }

    /** The value of a header, cut if it is too long for an error message. */
    public static String quoted(String value) {
        return value.length() <= MAX_QUOTED ? value : value.substring(0, MAX_QUOTED) + "...";
    }
}
