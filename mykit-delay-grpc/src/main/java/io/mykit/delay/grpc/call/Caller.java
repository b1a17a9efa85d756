package io.mykit.delay.grpc.call;

import io.mykit.delay.common.message.DelayMessage;

/** The other end of one call. Thread-safe but for {@link #whenGone}. */
public interface Caller {
    /** Continues a sentence in the flow log: {@code producer from 10.0.0.7}. */
    String name();

    /** The address of the other end of the connection, which may be a proxy. */
    String address();

    /** The message with the context of the caller's trace, if the call has one and the message has none of its own. */
    DelayMessage traced(DelayMessage message);

    /**
     * Runs the task on the event loop if the call ends and its client did not get the answer; at once if it has ended already. Must be
     * called on the event loop, as in {@link CallHandler#handle}; one task for each call.
     */
    void whenGone(Runnable task);

    /** Takes memory for an answer of this size, until the call ends. False: too many answers are under way. */
    boolean reserve(int bytes);
}
