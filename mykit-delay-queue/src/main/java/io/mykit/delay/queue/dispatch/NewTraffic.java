package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.BodyBounds;
import io.mykit.delay.queue.delivery.ChannelRoute;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Makes the traffic of topics, for one term. Thread-safe.
 *
 * @param limits the limits of a topic; none while consumers pull it
 * @param receivers the receiver of a topic
 * @param allHanded what scanners have handed over, of all topics
 * @param beginNanos the begin of the term, {@link System#nanoTime()}
 */
record NewTraffic(
        DispatchSettings settings,
        LiveLimits limits,
        Function<String, ReceiverRoom.Receiver> receivers,
        BodyBudget allHanded,
        long beginNanos)
        implements Function<String, TopicTraffic> {
    /** For a term that begins now. */
    static NewTraffic of(
            DispatchSettings settings, LiveLimits limits, Function<String, ChannelRoute> routes, Flights flights) {
        return new NewTraffic(
                settings,
                limits,
                topic -> new TopicReceiver(topic, routes, flights),
                new BodyBudget(BodyBounds.HANDED_OVER),
                System.nanoTime());
    }

    @Override
    public TopicTraffic apply(String topic) {
        return new TopicTraffic(
                settings.batchesPerTopic(),
                settings.batchSize(),
                room(topic),
                allHanded,
                System::nanoTime,
                LockSupport::parkNanos);
    }

    private TopicRoom room(String topic) {
        return new ReceiverRoom(
                new LimitedRoom(() -> limits.of(topic), limits::version, beginNanos, System::nanoTime),
                receivers.apply(topic),
                System::nanoTime);
    }
}
