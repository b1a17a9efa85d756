package io.mykit.delay.test.fault.rig;

import io.mykit.delay.test.server.MySqlServer;

/** The MySQL servers of a run. One thread breaks them; all may ask for the primary. */
public interface StoreServers extends AutoCloseable {
    /** The server that takes writes at this moment, broken or not. */
    MySqlServer primary();

    /**
     * Promotes the replica, which then has all that was committed, and leaves the old primary dead. No client may write
     * meanwhile.
     *
     * @throws UnsupportedOperationException if there is no replica
     */
    void failOver();

    /** After {@link #failOver()}: the old primary becomes the replica. */
    void rejoin();

    /** SIGKILL to the primary. */
    default void kill() {
        primary().kill();
    }

    /** Kills the primary if it runs, and starts it again. */
    default void restart() {
        primary().restart();
    }

    /** SIGSTOP to the primary. */
    default void freeze() {
        primary().freeze();
    }

    /** SIGCONT to the primary. */
    default void thaw() {
        primary().thaw();
    }

    @Override
    void close();
}
