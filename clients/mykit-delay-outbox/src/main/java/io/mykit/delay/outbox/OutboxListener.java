package io.mykit.delay.outbox;

import io.mykit.delay.client.CancelResult;
import io.mykit.delay.client.KeyedResult;
import io.mykit.delay.client.RescheduleResult;
import java.util.List;

/**
 * Is told what became of calls, because a transaction cannot wait for it. The relay of any instance of the application makes a
 * call, so its listener is told, at least once: a relay that dies in between tells it again by another one.
 *
 * <p>The methods run on the threads of the relay, one at a time, so they have to be short. If one throws, an {@code Error} too, the row is set aside
 * with this as its reason; put back, it is told again.
 *
 * <p>A repeated call tells what the repeat found. If the answer to a call of a business key is lost, its messages may have been
 * cancelled or moved; after a cancel the repeat finds them no more, and the list is empty. So an empty list of
 * {@link #cancelledOfKey} does not mean that nothing was cancelled.
 */
public interface OutboxListener {
    /** Tells nobody. */
    OutboxListener NONE = new OutboxListener() {};

    /** A cancel was made: cancelled, too late, or unknown. */
    default void cancelled(String id, CancelResult result) {}

    /** A reschedule was made. */
    default void rescheduled(String id, RescheduleResult result) {}

    /** A cancel of a business key was made. The failures among the results are refusals. */
    default void cancelledOfKey(String topic, String bizKey, List<KeyedResult<CancelResult>> results) {}

    /** A reschedule of a business key was made. The failures among the results are refusals. */
    default void rescheduledOfKey(String topic, String bizKey, List<KeyedResult<RescheduleResult>> results) {}

    /** A call was refused, and its row is set aside. What this method throws is logged. */
    default void setAside(SetAside refused) {}
}
