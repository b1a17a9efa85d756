package io.mykit.delay.queue.search;

import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The state of a {@link DueCensus}.
 *
 * @param counted the last count that reached its end; empty = there is none yet
 * @param running whether a count runs now
 * @param done how much of it is done, from 0 to 1; empty if no count runs, or if the database does not estimate its length
 */
public record DueCount(Optional<DueHistogram> counted, boolean running, OptionalDouble done) {}
