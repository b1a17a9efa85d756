package io.mykit.delay.queue.dispatch;

import io.mykit.delay.config.TopicLimits;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Makes the traffic of topics, for one term. Thread-safe.
 *
 * @param limits the limits of a topic
 * @param beginNanos the begin of the term, {@link System#nanoTime()}
 */
record NewTraffic(DispatchSettings settings, Function<String, TopicLimits> limits, long beginNanos)
        implements Function<String, TopicTraffic> {
    @Override
    public TopicTraffic apply(String topic) {
        TopicLimits limited = limits.apply(topic);
        // The leader sends nothing of a pulled topic: it counts holds that have ended, however many there are.
        boolean unlimited = limited.isNone() || settings.pulled().contains(topic);
        TopicRoom room = unlimited ? UnlimitedRoom.INSTANCE : new LimitedRoom(limited, beginNanos, System::nanoTime);
        return new TopicTraffic(
                settings.batchesPerTopic(), settings.batchSize(), room, System::nanoTime, LockSupport::parkNanos);
    }
}
