package io.mykit.delay.grpc.call;

import io.mykit.delay.access.Principal;
import io.mykit.delay.access.trace.RequestTrace;

/** The other end of one call. Thread-safe but for {@link #whenGone}. */
public interface Caller {
    /** Continues a sentence in the flow log: {@code producer from 10.0.0.7}. */
    String name();

    /** The caller that its token stands for. */
    Principal principal();

    /** The address of the other end of the connection, which may be a proxy. */
    String address();

    /** The metadata {@code x-request-id} of the call; null = none. It may not be usable. */
    String requestId();

    /** The trace of the call; of a call that only shows a message, none. */
    RequestTrace trace();

    /**
     * Runs the task on the event loop if the call ends and its client did not get the answer; at once if it has ended already. Must be
     * called on the event loop, as in {@link CallHandler#handle}; one task for each call.
     */
    void whenGone(Runnable task);

    /** Takes memory for an answer of this size, until the call ends. False: too many answers are under way. */
    boolean reserve(int bytes);
}
