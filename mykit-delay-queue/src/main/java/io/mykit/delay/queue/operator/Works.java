package io.mykit.delay.queue.operator;

import java.util.List;

/** The walks of recovery on this node. Thread-safe; no call blocks. */
public interface Works {
    /** All walks that run now. */
    List<RunningWork> running();

    /** The last walks of operators that ended, the newest first. */
    List<EndedWork> ended();

    /**
     * Stops a walk that an operator started, after the current page.
     *
     * @return false if no such walk is running
     */
    boolean stop(long number);
}
