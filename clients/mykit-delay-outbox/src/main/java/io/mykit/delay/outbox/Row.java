package io.mykit.delay.outbox;

import java.time.Instant;

/**
 * A row that a relay has taken.
 *
 * @param topic of a push, or of a call for a business key; otherwise empty
 * @param content the JSON of a message; null = no push
 * @param dueAt of a reschedule
 * @param createdAt the time of the application's call, by the database's clock
 * @param tries those that may have reached a server, this one included
 */
record Row(Lane lane, String topic, String content, Instant dueAt, Instant createdAt, int tries) {
    long id() {
        return lane.rowId();
    }

    Operation operation() {
        return lane.operation();
    }

    String messageId() {
        return lane.messageId();
    }

    Key key() {
        return lane.key();
    }

    /** The row as a refused call. */
    SetAside setAside(String reason) {
        return new SetAside(
                id(),
                operation().word(),
                messageId() == null ? "" : messageId(),
                topic,
                key() == null ? "" : key().bizKey(),
                reason,
                createdAt);
    }

    /** Names the call for logs. */
    @Override
    public String toString() {
        String target = lane.messageId() == null ? key().topic() + " bizKey=" + key().bizKey() : lane.messageId();
        return "row " + id() + ": " + operation().word() + " " + target;
    }
}
