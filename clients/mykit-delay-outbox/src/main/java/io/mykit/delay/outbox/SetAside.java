package io.mykit.delay.outbox;

import java.time.Instant;

/**
 * A call that the server refuses. It stays in the table until it is put back or discarded.
 *
 * @param rowId for {@link DelayOutbox#putBack} and {@link DelayOutbox#discard}
 * @param operation {@code push}, {@code cancel}, {@code reschedule}, {@code cancelOfKey} or {@code rescheduleOfKey}
 * @param messageId empty = a call for a business key
 * @param topic of a push, or of a call for a business key; otherwise empty
 * @param bizKey empty = none
 * @param reason of the server
 * @param createdAt the time of the application's call, by the clock of the database
 */
public record SetAside(
        long rowId,
        String operation,
        String messageId,
        String topic,
        String bizKey,
        String reason,
        Instant createdAt) {}
