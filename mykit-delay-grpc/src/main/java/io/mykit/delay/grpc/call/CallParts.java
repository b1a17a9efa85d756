package io.mykit.delay.grpc.call;

import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import java.util.function.Consumer;

/**
 * What all calls share. Each is thread-safe.
 *
 * @param workers the threads of calls that are large or block
 * @param deadlines ends calls whose message does not come
 * @param refusedPushes counts a push that was refused before the engine saw it
 * @param propagate whether a message keeps the trace context of the call that pushed it
 */
public record CallParts(
        Admission admission,
        CallMeters meters,
        Workers workers,
        RequestDeadlines deadlines,
        Consumer<ErrorCode> refusedPushes,
        boolean propagate) {}
