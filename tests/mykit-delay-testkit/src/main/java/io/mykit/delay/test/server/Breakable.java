package io.mykit.delay.test.server;

/** A server that tests break. For one thread at a time. */
public interface Breakable extends AutoCloseable {
    /** SIGKILL. */
    void kill();

    /** Also after a kill: same port, same data. Returns when it serves. */
    void restart();

    /** SIGSTOP. */
    void freeze();

    /** SIGCONT. */
    void thaw();

    @Override
    void close();
}
