package io.mykit.delay.queue.dispatch;

import io.mykit.delay.config.TopicLimits;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.bucket.Pulled;

/** The limits of each topic, which operators may change. Thread-safe. */
@FunctionalInterface
interface LiveLimits {
    TopicLimits of(String topic);

    /** Another number after each change; cheap to ask. */
    default int version() {
        return 0;
    }

    /** Those of the policies. The leader sends nothing of a pulled topic: it counts holds that have ended, however many there are. */
    static LiveLimits of(TopicPolicies policies, Pulled pulled) {
        return new LiveLimits() {
            @Override
            public TopicLimits of(String topic) {
                return pulled.contains(topic) ? TopicLimits.NONE : policies.limits(topic);
            }

            @Override
            public int version() {
                return policies.version() + pulled.version();
            }
        };
    }
}
