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
     * Sends some messages of the batch together.
     *
     * @return the fate that all of them share, or the fate of each
     * @throws Exception if the broker could not be used: these messages and all later ones of the batch are
     *     {@link Delivery.Kind#UNAVAILABLE}. {@link NotSentException} if it certainly took none of these messages
     */
    Fate send(List<DelayMessage> part) throws Exception;

    /**
     * Called after the timeout: releases the resource in which {@link #send} blocks. Another thread calls it; it must not
     * block.
     */
    void abandon();

    /**
     * The fate of a part. Immutable.
     *
     * @param deliveries the fate of each message, in order; a single fate if all share it
     * @param shared whether all messages of the part have the same fate
     * @param narrow whether one of several messages may be at fault and the others could be sent without it; the broker
     *     stored no message of the part then
     */
    record Fate(List<Delivery> deliveries, boolean shared, boolean narrow) {
        public Fate {
            deliveries = List.copyOf(deliveries);
        }

        /** All messages of the part share this fate. */
        public static Fate ofAll(Delivery delivery) {
            return new Fate(List.of(delivery), true, false);
        }

        /**
         * Each message has its own fate, in order: the broker answered for each. No message of the part is sent again here.
         */
        public static Fate ofEach(List<Delivery> deliveries) {
            return new Fate(deliveries, false, false);
        }

        /**
         * One of the messages is at fault, or with {@link Delivery.Kind#UNCLEAR} perhaps the broker. The part is sent again
         * in halves.
         */
        public static Fate ofSomebody(Delivery delivery) {
            return new Fate(List.of(delivery), true, true);
        }
    }
}
