package io.mykit.delay.queue.withdrawal;

import io.mykit.delay.common.error.DelayException;
import io.mykit.delay.common.error.ErrorCode;
import io.mykit.delay.common.message.MessageRef;
import io.mykit.delay.queue.bucket.IndexUnavailableException;
import io.mykit.delay.queue.bucket.MessageIndex;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whether a delivery of a message may have begun before its row changed, although the index says that the message waited. A
 * restart or a failover of the index may have forgotten what is in delivery. Thread-safe; blocks.
 */
public final class DeliveryDoubt {
    private static final Logger LOG = LoggerFactory.getLogger(DeliveryDoubt.class);

    private final MessageIndex index;

    public DeliveryDoubt(MessageIndex index) {
        this.index = index;
    }

    /**
     * True if a message may be in delivery although its row has ended, or has a later version: the index has it in delivery, the index
     * cannot be asked, or it may not know what is in delivery ({@link MessageIndex#isSteady}). Otherwise the message is out of the
     * index now.
     *
     * <p>The index is asked before and after it is known to be steady: a leader may have told it of a delivery since the first question, and
     * it may have lost its data before the second one.
     */
    public boolean mayBeInDelivery(MessageRef ended) {
        try {
            return stays(ended) || !index.isSteady(ended.id()) || stays(ended);
        } catch (IndexUnavailableException e) {
            LOG.debug(
                    "The row of message {} changed, and it is unknown whether a delivery began before", ended.id(), e);
            return true;
        }
    }

    private boolean stays(MessageRef ended) {
        return !index.purge(List.of(ended)).isEmpty();
    }

    /**
     * True if a delivery of a waiting message may have begun before its row changed: it is due, or due by the clock of another server that
     * the leader may still use ({@link MessageIndex#mayBeDueElsewhere}).
     */
    public boolean mayBeDue(MessageRef message, long dueTimeMs, long nowMs) {
        try {
            return dueTimeMs <= nowMs || index.mayBeDueElsewhere(message.id(), dueTimeMs);
        } catch (IndexUnavailableException e) {
            LOG.debug("Message {} is due soon, and it is unknown whether a delivery began before", message.id(), e);
            return true;
        }
    }

    /**
     * Requires that the index knows what is in delivery. For a message that {@linkplain #mayBeDue may be due}: after a restart or a
     * failover of the index, another copy of it may be in delivery.
     *
     * @throws DelayException OUTCOME_UNKNOWN for some seconds after a restart or a failover, and until a leader has claimed the bucket
     */
    public void requireSteady(String id) {
        if (!index.isSteady(id)) {
            throw new DelayException(
                    ErrorCode.OUTCOME_UNKNOWN,
                    "message " + id
                            + " is due or may be due, and Redis was restarted or failed over a moment ago: a delivery may have begun"
                            + " before; send the same call again");
        }
    }
}
