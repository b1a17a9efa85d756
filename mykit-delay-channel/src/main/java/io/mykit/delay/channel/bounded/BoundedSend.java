package io.mykit.delay.channel.bounded;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.common.message.DelayMessage;
import java.util.List;

/**
 * One {@link DeliveryChannel#deliver} under way on a thread of {@link BoundedDelivery}. Implementations may block as
 * long as their client library does.
 */
public interface BoundedSend {
    /**
     * Sends some messages of the batch in one go.
     *
     * @return the fate that they share, or the fate of each
     * @throws Exception the broker could not be used: {@link Delivery.Kind#UNAVAILABLE} for these and for all that
     *     would have been sent after them
     */
    Fate send(List<DelayMessage> part) throws Exception;

    /** Time ran out: let go of what {@link #send} is blocked in. Called from another thread; must not block. */
    void abandon();

    /**
     * What became of a part.
     *
     * @param deliveries the fate of each message, in order; a single one if they share it
     * @param shared whether all messages of the part have the same fate
     * @param narrow whether one of several messages may be to blame and the others could go without it; nothing of this
     *     part was stored then
     */
    record Fate(List<Delivery> deliveries, boolean shared, boolean narrow) {
        public Fate {
            deliveries = List.copyOf(deliveries);
        }

        /** Holds for every message alike. */
        public static Fate ofAll(Delivery delivery) {
            return new Fate(List.of(delivery), true, false);
        }

        /** Each message has its own, in order: the broker answered for each. Nothing of the part is sent again here. */
        public static Fate ofEach(List<Delivery> deliveries) {
            return new Fate(deliveries, false, false);
        }

        /** Some message's fault, or with {@link Delivery.Kind#UNCLEAR} perhaps the broker's: tried in halves. */
        public static Fate ofSomebody(Delivery delivery) {
            return new Fate(List.of(delivery), true, true);
        }
    }
}
