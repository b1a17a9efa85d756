package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.MessageStatus;
import io.mykit.delay.queue.bucket.ParkedOutcome;
import io.mykit.delay.queue.store.RowState;
import io.mykit.delay.queue.store.Transition;
import java.util.List;

/**
 * A cancel that was recorded after the delivery of its message. No caller got the answer "cancelled": the answer to the cancel's
 * commit was lost, or Redis had failed over just before, so that the answer was in doubt. Then the row tells of the delivery.
 */
final class LateCancel {
    private LateCancel() {}

    /** Whether the row is cancelled, and this outcome says that the same version was delivered. */
    static boolean is(RowState row, ParkedOutcome outcome) {
        return row.status() == MessageStatus.DELETE
                && outcome.status() == MessageStatus.FINISH
                && row.version() == outcome.version();
    }

    static Transition overruled(int bucket, RowState row, ParkedOutcome outcome) {
        Transition.Step done = new Transition.Step(
                MessageStatus.FINISH, outcome.doneMs(), "delivered before its cancel was committed");
        return Transition.of(row, List.of(done), "bucket-" + bucket, outcome.attempts());
    }
}
