package io.mykit.delay.queue.pull;

import io.mykit.delay.common.error.DelayException;

/**
 * The result for one {@link Settlement}.
 *
 * @param result null if there is a failure
 * @param recorded false = the outcome is safe in the index, and the store takes it later
 * @param leaseUntilMs the end of an extended hold, epoch milliseconds; 0 = no hold
 * @param failure null = no failure
 */
public record Settled(String id, SettleResult result, boolean recorded, long leaseUntilMs, DelayException failure) {
    static Settled of(String id, SettleResult result) {
        return new Settled(id, result, true, 0, null);
    }

    static Settled failed(String id, DelayException failure) {
        return new Settled(id, null, false, 0, failure);
    }
}
