package io.mykit.delay.test.fault.history;

/**
 * A request as a receiver got it.
 *
 * @param dueMs the first due time that it carries, epoch milliseconds
 * @param attempt the number that it carries, from 1
 * @param atMs epoch milliseconds
 * @param status the answer; 0 = there was none
 * @param retryAfterMs how long the receiver asked to wait; 0 = it did not
 */
public record Call(
        String id, String topic, String body, long dueMs, int attempt, long atMs, int status, long retryAfterMs) {
    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_REDIRECT = 300;

    public boolean isAccepted() {
        return status >= FIRST_SUCCESS && status < FIRST_REDIRECT;
    }

    /** The message has arrived with this request, if the receiver accepted it. */
    public Seen seen() {
        return new Seen(id, topic, body, dueMs, atMs);
    }
}
