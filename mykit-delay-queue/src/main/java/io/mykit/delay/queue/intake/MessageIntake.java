package io.mykit.delay.queue.intake;

import io.mykit.delay.common.lifecycle.Service;
import io.mykit.delay.common.message.DelayMessage;
import java.util.concurrent.CompletableFuture;

/** Accepts messages; group commit. Thread-safe. */
public final class MessageIntake implements Service {

    /**
     * Accepts one message. Returns at once; the future completes, on a thread of the intake, when the message is
     * committed in the store. It fails with a {@link io.mykit.delay.common.error.DelayException}: ID_CONFLICT,
     * ALREADY_DISPATCHED (replace came too late), BUSY, STORE_UNAVAILABLE.
     *
     * @param replace whether a message with this id that is not yet due may be replaced
     */
    public CompletableFuture<PushResult> push(DelayMessage message, boolean replace) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void start() {}

    @Override
    public void close() {}
}
