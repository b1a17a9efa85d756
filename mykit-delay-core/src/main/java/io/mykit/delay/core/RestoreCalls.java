package io.mykit.delay.core;

import io.mykit.delay.controller.operate.Restoring;
import io.mykit.delay.queue.recovery.RestoreOrder;
import io.mykit.delay.queue.recovery.RestoreReport;
import io.mykit.delay.queue.recovery.Restorer;

/** Adapts the restorer to the interface of the HTTP module. */
record RestoreCalls(Restorer restorer) implements Restoring {
    @Override
    public RestoreReport all(RestoreOrder order) {
        return restorer.restoreAll(order);
    }

    @Override
    public boolean one(String id) {
        return restorer.restoreOne(id);
    }
}
