package io.mykit.delay.controller.call;

import io.mykit.delay.access.trace.RequestTrace;
import java.util.concurrent.Executor;

/** The client at the other end of a request's connection, seen from the event loop of this connection. */
public interface Client {
    /** Runs tasks on the event loop, in order. Thread-safe. */
    Executor loop();

    /**
     * Runs the task on the event loop when the connection ends before the answer was written; at once if it has ended
     * already. A call that waits for something registers here, and stops waiting. An answer that comes later is dropped.
     *
     * <p>Must be called on the event loop, as in {@link CallHandler#handle}. One task for each request; a second one
     * replaces the first. If the client has sent many further requests, they wait unread before the end of the connection,
     * and the end may be noticed only with the answer.
     */
    void whenHungUp(Runnable task);

    /** A header of the request; null = not given. Must be called on the event loop, as in {@link CallHandler#handle}. */
    String header(CharSequence name);

    /** The trace of the request. */
    RequestTrace trace();

    /**
     * The address of the other end of the connection, which may be a proxy; empty = the connection has ended. Must be called on the
     * event loop, as in {@link CallHandler#handle}.
     */
    String address();

    /** Whether the connection has ended. Any thread may ask. */
    boolean isGone();

    /**
     * The call needs the body of its request no longer. Calls that wait long say so, because the bytes of all requests without
     * an answer are bounded together. Idempotent; any thread may call it.
     */
    void releaseBody();
}
