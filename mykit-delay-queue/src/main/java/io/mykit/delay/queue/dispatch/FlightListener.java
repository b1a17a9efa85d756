package io.mykit.delay.queue.dispatch;

import java.util.Set;

/** Gets the results of one batch of an asynchronous channel, for its topic. Any thread of the term calls it. */
interface FlightListener {
    /** The next batch may begin. Called once. */
    void ended(Verdict verdict);

    /**
     * Some fates became known after the end.
     *
     * @param released the buckets whose ready lists got messages back
     */
    void landed(Verdict verdict, Set<Integer> released);
}
