package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.util.Comparator;

/**
 * The change that a transition makes to its row. One UPDATE makes it for all rows with the same change.
 *
 * @param moved whether each row gets a due time of its own
 * @param author of the ends that the rows keep, with times of their own; 0 = the rows keep no ends
 */
record RowChange(int version, MessageStatus from, MessageStatus to, int attempts, boolean moved, int author) {
    static final Comparator<RowChange> ORDER = Comparator.comparing(RowChange::from)
            .thenComparing(RowChange::to)
            .thenComparing(RowChange::attempts)
            .thenComparing(RowChange::version)
            .thenComparing(RowChange::moved)
            .thenComparing(RowChange::author);

    /** @param end the end that the row keeps; null = none */
    static RowChange of(Transition transition, RowEnd end) {
        return new RowChange(
                transition.version(),
                transition.from(),
                transition.to(),
                transition.attempts(),
                transition.retryMs() != 0,
                end == null ? 0 : end.author());
    }
}
