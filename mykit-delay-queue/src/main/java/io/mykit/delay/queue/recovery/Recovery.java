package io.mykit.delay.queue.recovery;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.RecoveryConfig;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.ScheduleOutcome;
import io.mykit.delay.queue.schedule.Horizon;
import io.mykit.delay.queue.schedule.Scheduling;
import io.mykit.delay.queue.store.MessageStore;
import io.mykit.delay.queue.withdrawal.Withdrawals;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalLong;

/**
 * The objects that recovery needs, in every term and for an operator's call. Immutable.
 *
 * @param clock an upper bound of the time
 * @param steady the time that decides which messages are loaded; never ahead of the other clock, and it follows no jump
 * @param earliest a lower bound of both: a message with this due time is due already
 */
public record Recovery(
        MessageStore store,
        MessageIndex index,
        Scheduling scheduling,
        InstantSource clock,
        InstantSource steady,
        InstantSource earliest,
        Horizon horizon,
        RecoveryConfig config,
        RecoveryBoard board) {
    public Recovery(
            MessageStore store,
            MessageIndex index,
            Scheduling scheduling,
            ClusterClock clock,
            Horizon horizon,
            RecoveryConfig config,
            RecoveryBoard board) {
        this(store, index, scheduling, clock, clock.steady(), clock.earliest(), horizon, config, board);
    }

    /** The statuses of messages that must be in the index. */
    static final List<MessageStatus> IN_INDEX = List.of(MessageStatus.READY, MessageStatus.DELAY);

    /** The most rows of a status that are counted. A longer count might take longer than the database has for an answer. */
    private static final int MOST_COUNTED = 5_000_000;

    /** Creates the object that removes messages from the index when their rows end. */
    Withdrawals withdrawals() {
        return new Withdrawals(store, index);
    }

    /**
     * Schedules messages that the index lost, or never had. Nothing tells whether a due one was in delivery. The row of one that waits for
     * its next attempt does not tell whether the last one reached its receiver. So their cancels must not say that nothing arrived.
     */
    List<ScheduleOutcome> scheduleLost(List<DelayMessage> messages) {
        long nowMs = clock.millis();
        return index.schedule(
                messages,
                message -> message.dueTimeMs() <= nowMs || message.extras().firstDueMs() != 0);
    }

    /** Counts the rows in these statuses, for readers of the progress. The number of very many rows stays unknown. */
    void count(List<MessageStatus> statuses, Progress progress) {
        board.count(progress, () -> {
            long sum = 0;
            for (MessageStatus status : statuses) {
                long rows = store.count(status, Long.MAX_VALUE, MOST_COUNTED);
                if (rows == MOST_COUNTED) {
                    return OptionalLong.empty();
                }
                sum += rows;
            }
            return OptionalLong.of(sum);
        });
    }
}
