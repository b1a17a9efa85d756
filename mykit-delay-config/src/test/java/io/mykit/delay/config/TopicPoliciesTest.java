package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicPoliciesTest {
    private final TopicPolicies policies = new TopicPolicies(ConfigLoader.load(Map.of(
                    "mykit.delay.delivery.policy.*.ttl", "1d",
                    "mykit.delay.delivery.policy.shop/*.dead-letter-topic", "shop/dead",
                    "mykit.delay.delivery.policy.shop/*.gaps", "1s,2s",
                    "mykit.delay.delivery.policy.\"shop/a.ttl\".ttl", "5s"))
            .delivery()
            .policy());

    @Test
    void eachKeyComesFromTheBestNameThatGivesIt() {
        assertThat(policies.ttlSeconds("other")).isEqualTo(86_400);
        assertThat(policies.ttlSeconds("shop/a.ttl")).isEqualTo(5);
        assertThat(policies.deadLetterTopic("shop/a.ttl")).contains("shop/dead");
        assertThat(policies.deadLetterTopic("other")).isEmpty();
        assertThat(policies.retries("shop/x").get(0).gapsMs()).containsExactly(1000L, 2000L);
    }

    @Test
    void limitsComeKeyByKeyAndZeroLiftsALimit() {
        TopicPolicies limited = new TopicPolicies(ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.policy.*.rate", "100",
                        "mykit.delay.delivery.policy.shop/*.concurrency", "5",
                        "mykit.delay.delivery.policy.shop/slow.rate", "0.5",
                        "mykit.delay.delivery.policy.shop/fast.rate", "0"))
                .delivery()
                .policy());
        assertThat(limited.limits("other")).isEqualTo(new TopicLimits(100, 0));
        assertThat(limited.limits("shop/slow")).isEqualTo(new TopicLimits(0.5, 5));
        assertThat(limited.limits("shop/fast")).isEqualTo(new TopicLimits(0, 5));
        assertThat(policies.limits("shop/x")).isEqualTo(TopicLimits.NONE);
    }

    @Test
    void withoutAPolicyThereIsNothing() {
        TopicPolicies none =
                new TopicPolicies(ConfigLoader.load(Map.of()).delivery().policy());
        assertThat(none.ttlSeconds("t")).isZero();
        assertThat(none.retries("t")).isEmpty();
    }
}
