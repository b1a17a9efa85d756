package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.config.RecoveryConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.List;

/** The objects that recovery needs, in every term and for an operator's call. Immutable. */
public record Recovery(
        MessageStore store,
        MessageIndex index,
        Scheduling scheduling,
        InstantSource clock,
        Horizon horizon,
        RecoveryConfig config,
        RecoveryBoard board) {
    /** The statuses of messages that must be in the index. */
    static final List<MessageStatus> IN_INDEX = List.of(MessageStatus.READY, MessageStatus.DELAY);

    /** Creates the object that removes messages from the index when their rows end. */
    Withdrawals withdrawals() {
        return new Withdrawals(store, index);
    }

    /** Counts the rows in these statuses, for readers of the progress. */
    void count(List<MessageStatus> statuses, Progress progress) {
        progress.expect(() -> statuses.stream().mapToLong(store::count).sum());
    }
}
