package io.mykit.delay.test.fault.workload;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Pushes many messages for the slow receiver, all due at about the same time, and then waits for longer than it needs for them. For
 * one thread.
 */
final class Crowd {
    private static final int BATCH = 250;
    private static final long DELAY_MS = 3_000;
    private static final long GAP_MS = 60_000;
    private static final long LOOK_MS = 250;

    private final CallbackOrders callbacks;
    private final Caller caller;
    private final int size;
    private final BooleanSupplier closing;

    Crowd(CallbackOrders callbacks, Caller caller, int size, BooleanSupplier closing) {
        this.callbacks = callbacks;
        this.caller = caller;
        this.size = size;
        this.closing = closing;
    }

    void push() throws InterruptedException {
        List<Order> orders = callbacks.crowd(size, DELAY_MS);
        for (int from = 0; from < size; from += BATCH) {
            caller.pushBatch(orders.subList(from, Math.min(size, from + BATCH)));
        }
        for (long waitedMs = 0; waitedMs < GAP_MS && !closing.getAsBoolean(); waitedMs += LOOK_MS) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MS);
        }
    }
}
