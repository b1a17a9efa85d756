package io.mykit.delay.common.message;

/**
 * One status change of a message, as the flow log keeps it. Immutable.
 *
 * @param messageId the id of the message
 * @param from the status before; null for the first row of a message
 * @param to the status after
 * @param atMs epoch milliseconds
 * @param thread the name of the thread that made the change, or of its part of the server
 * @param host the node that made the change
 * @param attempt the number of failed attempts so far
 * @param detail the reason, for a person; may be empty
 */
public record StatusFlow(
        String messageId,
        MessageStatus from,
        MessageStatus to,
        long atMs,
        String thread,
        String host,
        int attempt,
        String detail) {
    /** The same change at another number of attempts. */
    public StatusFlow at(int attempts) {
        return new StatusFlow(messageId, from, to, atMs, thread, host, attempts, detail);
    }
}
