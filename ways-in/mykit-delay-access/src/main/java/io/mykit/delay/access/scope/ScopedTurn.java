package io.mykit.delay.access.scope;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.queue.operator.Operators;

/** The turn of an operator of one namespace. Stateless. */
public final class ScopedTurn {
    private ScopedTurn() {}

    /**
     * As {@link Operators#turn}. The text of the refusal of others names the walk that runs, which may be that of another namespace.
     *
     * @throws DelayException ALREADY_RUNNING
     */
    public static Runnable take(Operators all) {
        try {
            return all.turn();
        } catch (DelayException refused) {
            if (refused.code() == ErrorCode.ALREADY_RUNNING) {
                throw new DelayException(
                        ErrorCode.ALREADY_RUNNING,
                        "a restore, clear, respawn or discard is running on this node; try again",
                        refused);
            }
            throw refused;
        }
    }
}
