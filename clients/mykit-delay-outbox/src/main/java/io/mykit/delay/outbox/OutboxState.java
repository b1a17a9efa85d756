package io.mykit.delay.outbox;

import java.time.Duration;

/**
 * What an outbox holds.
 *
 * @param rows the calls that are still to be made
 * @param oldestAge the age of the first of them; zero = there is none
 * @param setAside the calls that were refused, see {@link DelayOutbox#setAside}
 */
public record OutboxState(long rows, Duration oldestAge, long setAside) {}
