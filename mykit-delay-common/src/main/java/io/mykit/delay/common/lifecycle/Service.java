package io.mykit.delay.common.lifecycle;

/** Something that is started once and closed once. */
public interface Service extends AutoCloseable {
    /** Starts; returns when the service can be used. */
    void start();

    /** Stops within a bounded time. Idempotent, and safe before {@link #start()}. */
    @Override
    void close();
}
