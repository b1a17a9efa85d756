package io.mykit.delay.test.fault.history;

/**
 * A message as a consumer that pulls got it.
 *
 * @param dueMs the first due time, as the message says, epoch milliseconds
 * @param attempt as the message says, from 1
 * @param receipt of the hold
 * @param fromMs when the hold began, by the clock of Redis: its end without its length, epoch milliseconds
 * @param untilMs the end of the hold, epoch milliseconds
 * @param seenMs when the answer came, epoch milliseconds
 */
public record HandedOut(
        String id,
        String topic,
        String body,
        long dueMs,
        int attempt,
        String receipt,
        long fromMs,
        long untilMs,
        long seenMs) {
    public Seen seen() {
        return new Seen(id, topic, body, dueMs, seenMs);
    }

    /** Whether this call is about this hold. */
    public boolean isOf(Settling settling) {
        return settling.id().equals(id) && settling.receipt().equals(receipt);
    }
}
