package io.mykit.delay.access.log;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The requests that get a line. Thread-safe.
 *
 * @param errors whether each answer with an error gets one
 * @param oneOf of so many other requests one gets a line; 0 = none
 */
record RequestChoice(boolean errors, int oneOf) {
    static final RequestChoice OFF = new RequestChoice(false, 0);
    static final RequestChoice ALL = new RequestChoice(true, 1);

    private static final String SAMPLE = "sample:";

    /** @param text the checked value of {@code log.requests} */
    static RequestChoice of(String text) {
        return switch (text) {
            case "off" -> OFF;
            case "errors" -> new RequestChoice(true, 0);
            case "all" -> ALL;
            default -> new RequestChoice(true, Integer.parseInt(text.substring(SAMPLE.length())));
        };
    }

    boolean isOff() {
        return !errors && oneOf == 0;
    }

    /** @param failed whether the request got an error */
    boolean includes(boolean failed) {
        return failed
                ? errors
                : oneOf == 1 || (oneOf > 1 && ThreadLocalRandom.current().nextInt(oneOf) == 0);
    }
}
