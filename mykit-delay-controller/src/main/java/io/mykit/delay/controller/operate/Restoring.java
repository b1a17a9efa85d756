package io.mykit.delay.controller.operate;

import io.mykit.delay.queue.recovery.RestoreOrder;
import io.mykit.delay.queue.recovery.RestoreReport;

/** Restores messages, as {@code Restorer} does. Calls may block. Thread-safe. */
public interface Restoring {
    RestoreReport all(RestoreOrder order);

    /** Returns false if no message has this id. */
    boolean one(String id);
}
