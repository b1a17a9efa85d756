package io.mykit.delay.queue.dispatch;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Gets the results of one batch of an asynchronous channel, for its topic. Any thread of the term calls it.
 *
 * @param ended the next batch may begin; called once
 * @param landed some fates became known; the second parameter has the buckets whose ready lists got messages back
 */
record FlightListener(Consumer<Verdict> ended, BiConsumer<Verdict, Set<Integer>> landed) {}
