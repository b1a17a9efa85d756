package io.mykit.delay.queue.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.queue.operator.PolicyKey;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PolicySourcesTest {
    @Test
    void withoutAPolicyTheServerDecides() {
        assertThat(sources(Map.of(), topic -> RetryOptions.NONE))
                .containsExactly(
                        new PolicyKey("maxAttempts", 16, "delivery.max-attempts"),
                        new PolicyKey("interval", 500L, "delivery.retry-min"),
                        new PolicyKey("multiplier", 2.0, "default"),
                        new PolicyKey("maxInterval", 30_000L, "delivery.retry-max"),
                        new PolicyKey("jitter", 0.5, "default"));
    }

    @Test
    void theBestFittingPolicyComesFirst() {
        List<PolicyKey> keys = sources(
                Map.of(
                        "mykit.delay.delivery.policy.shop/*.max-attempts", "5",
                        "mykit.delay.delivery.policy.shop/*.interval", "2s",
                        "mykit.delay.delivery.policy.shop/orders.interval", "1s",
                        "mykit.delay.delivery.policy.shop/orders.ttl", "1h"),
                topic -> RetryOptions.NONE);
        assertThat(keys)
                .contains(
                        new PolicyKey("maxAttempts", 5, "delivery.policy.shop/*.max-attempts"),
                        new PolicyKey("interval", 1000L, "delivery.policy.shop/orders.interval"),
                        new PolicyKey("ttl", "1h", "delivery.policy.shop/orders.ttl"));
    }

    @Test
    void aListOfGapsImpliesTheAttempts() {
        assertThat(sources(Map.of("mykit.delay.delivery.policy.shop/orders.gaps", "1s,5s"), topic -> RetryOptions.NONE))
                .contains(
                        new PolicyKey("maxAttempts", 3, "delivery.policy.shop/orders.gaps"),
                        new PolicyKey("gaps", List.of(1000L, 5000L), "delivery.policy.shop/orders.gaps"));
    }

    @Test
    void aChannelMayHaveDefaults() {
        RetryOptions options = new RetryOptions(7, null, null, null, null, null);
        assertThat(sources(Map.of(), topic -> options)).contains(new PolicyKey("maxAttempts", 7, "channel mine"));
    }

    private static List<PolicyKey> sources(Map<String, String> settings, Function<String, RetryOptions> ofChannel) {
        DeliveryConfig config = ConfigLoader.load(settings).delivery();
        return new PolicySources(
                        config, new RetryPolicies(config, new TopicPolicies(config.policy()), ofChannel), ofChannel)
                .of("shop/orders", "mine");
    }
}
