package io.mykit.delay.common.message;

/**
 * One move in a message's life, as the flow log keeps it.
 *
 * @param messageId whose move
 * @param from null for the first row of a message
 * @param to where it went
 * @param atMs epoch milliseconds
 * @param thread the bucket's loop or the room that moved it
 * @param host the node that moved it
 * @param attempt deliveries tried so far
 * @param detail why, for a person; may be empty
 */
public record StatusFlow(
        String messageId,
        MessageStatus from,
        MessageStatus to,
        long atMs,
        String thread,
        String host,
        int attempt,
        String detail) {}
