package io.mykit.delay.queue.store;

import java.util.List;

/**
 * The calls of operators that act. The id of a row begins with thirteen digits of its time in milliseconds, so the order of ids is that of
 * times. Every method is one transaction and may be repeated; see {@link MessageStore} for what they throw.
 */
public interface AuditStore {
    /** Writes a row. Its texts have at most the lengths that {@link AuditRow} says. The same row twice is one row. */
    void write(AuditRow row);

    /** Changes the outcome of a row, if it is still there. */
    void end(String id, String outcome);

    /** The newest rows first. */
    List<AuditRow> page(AuditQuery query, int limit);

    /** Removes the oldest rows before this time. Returns how many. */
    int remove(long beforeMs, int limit);
}
