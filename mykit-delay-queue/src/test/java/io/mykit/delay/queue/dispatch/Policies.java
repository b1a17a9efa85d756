package io.mykit.delay.queue.dispatch;

import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.retry.RetryPolicies;
import java.util.Map;

/** Retry policies for tests. */
final class Policies {
    private Policies() {}

    /** The defaults of the server, with another number of attempts and short gaps. */
    static RetryPolicies ofAttempts(int maxAttempts) {
        return of(Map.of(
                "mykit.delay.delivery.max-attempts",
                Integer.toString(maxAttempts),
                "mykit.delay.delivery.retry-min",
                "10ms",
                "mykit.delay.delivery.retry-max",
                "20ms"));
    }

    static RetryPolicies of(Map<String, String> settings) {
        DeliveryConfig config = ConfigLoader.load(settings).delivery();
        return new RetryPolicies(config, new TopicPolicies(config.policy()), topic -> RetryOptions.NONE);
    }
}
