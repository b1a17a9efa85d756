package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.util.Comparator;

/**
 * The change that a transition makes to its row. One UPDATE makes it for all rows with the same change.
 *
 * @param moved whether each row gets a due time of its own
 */
record RowChange(int version, MessageStatus from, MessageStatus to, int attempts, boolean moved) {
    static final Comparator<RowChange> ORDER = Comparator.comparing(RowChange::from)
            .thenComparing(RowChange::to)
            .thenComparing(RowChange::attempts)
            .thenComparing(RowChange::version)
            .thenComparing(RowChange::moved);

    static RowChange of(Transition transition) {
        return new RowChange(
                transition.version(),
                transition.from(),
                transition.to(),
                transition.attempts(),
                transition.retryMs() != 0);
    }
}
