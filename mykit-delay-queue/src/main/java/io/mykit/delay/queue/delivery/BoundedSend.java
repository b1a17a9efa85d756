package io.mykit.delay.queue.delivery;

import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/**
 * One {@link DeliveryChannel#deliver} under way on a thread of {@link BoundedDelivery}. Implementations may block as
 * long as their client library does.
 */
public interface BoundedSend {
    /**
     * Sends some messages of the batch in one go, all or none.
     *
     * @return the fate they share
     * @throws Exception the broker could not be used: {@link Delivery.Kind#UNAVAILABLE} for these and for all that
     *     would have been sent after them
     */
    Fate send(List<DelayMessage> part) throws Exception;

    /** Time ran out: let go of what {@link #send} is blocked in. Called from another thread; must not block. */
    void abandon();

    /**
     * What became of a part.
     *
     * @param delivery the fate of each of its messages
     * @param narrow whether one of several messages may be to blame and the others could go without it; nothing of this
     *     part was stored then
     */
    record Fate(Delivery delivery, boolean narrow) {
        /** Holds for every message alike. */
        public static Fate ofAll(Delivery delivery) {
            return new Fate(delivery, false);
        }

        /** Some message's fault, or with {@link Delivery.Kind#UNCLEAR} perhaps the broker's: tried in halves. */
        public static Fate ofSomebody(Delivery delivery) {
            return new Fate(delivery, true);
        }
    }
}
