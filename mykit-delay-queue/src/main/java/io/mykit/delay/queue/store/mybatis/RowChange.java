package io.mykit.delay.queue.store.mybatis;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.store.Transition;
import java.util.Comparator;

/** What a transition does to its row; one UPDATE does it for all of those alike. */
record RowChange(int version, MessageStatus from, MessageStatus to, int attempts) {
    static final Comparator<RowChange> ORDER = Comparator.comparing(RowChange::from)
            .thenComparing(RowChange::to)
            .thenComparing(RowChange::attempts)
            .thenComparing(RowChange::version);

    static RowChange of(Transition transition) {
        return new RowChange(transition.version(), transition.from(), transition.to(), transition.attempts());
    }
}
