package io.mykit.delay.controller.log;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The requests that get a line. Thread-safe.
 *
 * @param errors whether each answer with a status from 400 on gets one
 * @param oneOf of so many other requests one gets a line; 0 = none
 */
record RequestChoice(boolean errors, int oneOf) {
    private static final String SAMPLE = "sample:";
    private static final int FIRST_ERROR = 400;

    /** @param text the checked value of {@code log.requests} */
    static RequestChoice of(String text) {
        return switch (text) {
            case "off" -> new RequestChoice(false, 0);
            case "errors" -> new RequestChoice(true, 0);
            case "all" -> new RequestChoice(true, 1);
            default -> new RequestChoice(true, Integer.parseInt(text.substring(SAMPLE.length())));
        };
    }

    boolean isOff() {
        return !errors && oneOf == 0;
    }

    boolean includes(int status) {
        return status >= FIRST_ERROR
                ? errors
                : oneOf == 1 || (oneOf > 1 && ThreadLocalRandom.current().nextInt(oneOf) == 0);
    }
}
