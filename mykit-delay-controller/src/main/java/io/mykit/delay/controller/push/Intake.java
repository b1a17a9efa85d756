package io.mykit.delay.controller.push;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.queue.intake.PushResult;
import java.util.concurrent.CompletableFuture;

/** Accepts messages, as {@code MessageIntake::push} does. Calls must not block. Thread-safe. */
@FunctionalInterface
public interface Intake {
    CompletableFuture<PushResult> push(DelayMessage message, boolean replace);
}
