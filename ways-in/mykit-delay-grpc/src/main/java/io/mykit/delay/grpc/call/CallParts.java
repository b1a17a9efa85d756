package io.mykit.delay.grpc.call;

import io.mykit.delay.access.Traffic;
import io.mykit.delay.access.limit.CallLimits;
import io.mykit.delay.access.trace.RequestTraces;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.lifecycle.Workers;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What all calls share. Each is thread-safe.
 *
 * @param workers the threads of calls that are large or block
 * @param loops the event loop of the calling thread
 * @param deadlines ends calls whose message does not come
 * @param refusedPushes counts a push that was refused before the engine saw it
 * @param traces begins the traces of calls
 * @param traffic notes the calls of clients
 * @param limits the limits of callers
 */
public record CallParts(
        Admission admission,
        CallMeters meters,
        Workers workers,
        Supplier<Executor> loops,
        RequestDeadlines deadlines,
        Consumer<ErrorCode> refusedPushes,
        RequestTraces traces,
        Traffic traffic,
        CallLimits limits) {}
