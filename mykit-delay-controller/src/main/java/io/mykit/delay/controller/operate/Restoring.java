package io.mykit.delay.controller.operate;

import io.mykit.delay.queue.recovery.RestoreOrder;
import io.mykit.delay.queue.recovery.RestoreReport;

/** Puts messages back, as {@code Restorer} does; may block. Thread-safe. */
public interface Restoring {
    RestoreReport all(RestoreOrder order);

    /** Returns false if there is no message of this id. */
    boolean one(String id);
}
