package io.mykit.delay.queue.dispatch;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.queue.delivery.ChannelRoute;
import java.util.function.Function;

/** The receiver of one topic, as its channel and the flights of the term know it. For one thread at a time. */
final class TopicReceiver implements ReceiverRoom.Receiver {
    private final String topic;
    private final Function<String, ChannelRoute> routes;
    private final Flights flights;

    TopicReceiver(String topic, Function<String, ChannelRoute> routes, Flights flights) {
        this.topic = topic;
        this.routes = routes;
        this.flights = flights;
    }

    @Override
    public int free() {
        try {
            // An operator may have given the topic another channel since the last question.
            if (routes.apply(topic).channel() instanceof AsyncDeliveryChannel asynchronous) {
                return flights.free(topic) > 0 ? Math.max(0, asynchronous.places(topic)) : 0;
            }
        } catch (RuntimeException e) {
            // A plug-in failed. The batch that begins meets the same failure or none; its topic may back off.
            return Integer.MAX_VALUE;
        }
        return Integer.MAX_VALUE;
    }

    @Override
    public boolean isBusy() {
        return flights.isBusy(topic);
    }

    @Override
    public boolean hasMemory() {
        return flights.hasReserve();
    }
}
