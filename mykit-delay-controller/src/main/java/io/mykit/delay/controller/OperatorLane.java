package io.mykit.delay.controller;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** One restore or clear at a time; a second one is refused instead of waiting for minutes. Thread-safe. */
final class OperatorLane {
    private final Workers worker = new Workers("http-operator", 1, 1);
    private final AtomicBoolean taken = new AtomicBoolean();

    /**
     * Runs this on the operator's thread.
     *
     * @throws DelayException ALREADY_RUNNING
     */
    CompletableFuture<Reply> run(Supplier<Reply> work) {
        if (!taken.compareAndSet(false, true)) {
            throw new DelayException(ErrorCode.ALREADY_RUNNING, "a restore or clear is already running on this node");
        }
        try {
            // Freed before the answer goes out, so that who got it may call again at once.
            return worker.run(work).whenComplete((reply, failure) -> taken.set(false));
        } catch (DelayException closing) {
            taken.set(false);
            throw closing;
        }
    }

    void close(Duration grace) {
        worker.close(grace);
    }
}
