package io.mykit.delay.test.fault.history;

import java.util.List;

/**
 * A message as its producers know it.
 *
 * @param firstSentMs before the first request was sent, epoch milliseconds
 * @param acknowledged whether some request was answered with success
 * @param cancels in the order of their answers
 */
public record Pushed(
        String id, String topic, long delayMs, long firstSentMs, boolean acknowledged, List<Cancel> cancels) {

    public boolean wasAnswered(Cancel.Answered answered) {
        return cancels.stream().anyMatch(cancel -> cancel.answered() == answered);
    }

    /** Not due while a run lasts. */
    public boolean sleeps() {
        return delayMs >= SLEEP_MS;
    }

    /** The delay of messages that are to lie still. */
    public static final long SLEEP_MS = 3_600_000;
}
