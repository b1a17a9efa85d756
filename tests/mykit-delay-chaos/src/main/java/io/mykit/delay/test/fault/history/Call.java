package io.mykit.delay.test.fault.history;

/**
 * A request as a receiver got it.
 *
 * @param dueMs the first due time that it carries, epoch milliseconds
 * @param attempt the number that it carries, from 1
 * @param sentMs when the sender began the attempt, at the latest; before {@code atMs} if the receiver read the request late
 * @param atMs when the receiver read it, epoch milliseconds
 * @param status the answer; 0 = there was none
 * @param retryAfterMs how long the receiver asked to wait; 0 = it did not
 */
public record Call(
        String id,
        String topic,
        String body,
        long dueMs,
        int attempt,
        long sentMs,
        long atMs,
        int status,
        long retryAfterMs) {
    private static final int FIRST_SUCCESS = 200;
    private static final int FIRST_REDIRECT = 300;

    /** A request that was read at once. */
    public Call(
            String id, String topic, String body, long dueMs, int attempt, long atMs, int status, long retryAfterMs) {
        this(id, topic, body, dueMs, attempt, atMs, atMs, status, retryAfterMs);
    }

    public boolean isAccepted() {
        return status >= FIRST_SUCCESS && status < FIRST_REDIRECT;
    }

    /** The message has arrived with this request, if the receiver accepted it. */
    public Seen seen() {
        return new Seen(id, topic, body, dueMs, atMs);
    }
}
