package io.mykit.delay.common.lifecycle;

/** A part of the server that is started once and closed once. */
public interface Service extends AutoCloseable {
    /** Starts the service and returns when it can be used. */
    void start();

    /** Stops the service within a bounded time. Idempotent, and safe before {@link #start()}. */
    @Override
    void close();
}
