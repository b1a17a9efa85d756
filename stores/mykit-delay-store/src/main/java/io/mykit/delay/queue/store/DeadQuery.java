package io.mykit.delay.queue.store;

import io.mykit.delay.common.message.DeadReason;
import java.util.Optional;

/**
 * A choice of dead letters by their time of death and reason. Times are in epoch milliseconds.
 *
 * @param sinceMs inclusive; {@link Long#MIN_VALUE} = from the first
 * @param untilMs exclusive; {@link Long#MAX_VALUE} = to the last
 * @param reason empty = all reasons
 */
public record DeadQuery(long sinceMs, long untilMs, Optional<DeadReason> reason) {
    public static final DeadQuery ALL = new DeadQuery(Long.MIN_VALUE, Long.MAX_VALUE, Optional.empty());

    /** The same choice without dead letters of this time or later. */
    public DeadQuery until(long otherMs) {
        return new DeadQuery(sinceMs, Math.min(untilMs, otherMs), reason);
    }
}
