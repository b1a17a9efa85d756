package io.mykit.delay.spring.transaction;

/** A call that a committed transaction leaves to do. */
interface Step {
    /** Tells the application that the call failed, or was not made. */
    void fail(RuntimeException reason);

    /** Names the call for the log and for the exception of the commit: its kind, the topic if it is known, the id. */
    @Override
    String toString();
}
