package io.mykit.delay.queue.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DeliveryConfig;
import io.mykit.delay.config.TopicPolicies;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RetryPoliciesTest {
    private static final RetryOptions FOREVER = new RetryOptions(0, 600_000L, 1.0, null, null, null);
    private final Map<String, String> settings = new HashMap<>();
    private RetryOptions ofChannel = RetryOptions.NONE;

    private void set(String key, String value) {
        settings.put("mykit.delay.delivery." + key, value);
    }

    private RetryPolicy of(String topic, RetryOptions retry) {
        DelayMessage message = MessageBuilder.withId("m").topic(topic).build();
        MessageExtras own = ExtrasBuilder.extras().retry(retry).build();
        DeliveryConfig config = ConfigLoader.load(settings).delivery();
        RetryPolicies policies =
                new RetryPolicies(config, new TopicPolicies(config.policy()), topicOfChannel -> ofChannel);
        return policies.of(message.withExtras(own));
    }

    private RetryPolicy of(String topic) {
        return of(topic, RetryOptions.NONE);
    }

    @Test
    void withoutAnyPolicyTheServerDecides() {
        set("max-attempts", "7");
        set("retry-min", "1s");
        assertThat(of("t")).isEqualTo(new RetryPolicy(7, List.of(), 1000, 2, 30_000, 0.5));
    }

    @Test
    void eachSourceDecidesTheKeysThatItGives() {
        set("policy.a.max-attempts", "5");
        set("policy.*.multiplier", "3");
        ofChannel = new RetryOptions(99, null, 9.0, 40_000L, null, null);
        assertThat(of("a", new RetryOptions(null, null, null, null, null, 0.25)))
                .isEqualTo(new RetryPolicy(5, List.of(), 500, 3, 40_000, 0.25));
    }

    @Test
    void theNameThatFitsATopicBestComesFirst() {
        set("policy.*.max-attempts", "1");
        set("policy.shop/*.max-attempts", "2");
        set("policy.shop/orders/*.max-attempts", "3");
        set("policy.shop/orders/late.max-attempts", "4");
        assertThat(List.of("x", "shop/x", "shop/orders/x", "shop/orders/late"))
                .extracting(topic -> of(topic).maxAttempts())
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void gapsWithoutANumberOfAttemptsAreUsedUpAfterTheLastGap() {
        set("policy.a.gaps", "5s, 1m,2h");
        assertThat(of("a").maxAttempts()).isEqualTo(4);
        assertThat(of("a").gapsMs()).containsExactly(5000L, 60_000L, 7_200_000L);
        assertThat(of("a", new RetryOptions(9, null, null, null, null, null)).maxAttempts())
                .isEqualTo(9);
        assertThat(of("a", new RetryOptions(null, null, null, null, List.of(1L), null)))
                .isEqualTo(new RetryPolicy(2, List.of(1L), 0, 1, 0, 0));
    }

    @Test
    void gapsThatAMessageReplacesByAnIntervalSayNothingAboutItsAttempts() {
        set("policy.a.gaps", "5s,1m");
        assertThat(of("a", new RetryOptions(null, 1000L, null, null, null, null)))
                .isEqualTo(new RetryPolicy(16, List.of(), 1000, 2, 30_000, 0.5));
    }

    @Test
    void aMessageMayBeTriedForEverAtAFixedInterval() {
        set("policy.a.gaps", "5s,1m");
        assertThat(of("a", FOREVER)).isEqualTo(new RetryPolicy(0, List.of(), 600_000, 1, 600_000, 0));
    }

    @Test
    void theChannelDecidesBeforeTheServer() {
        ofChannel = new RetryOptions(null, null, null, 36_000_000L, List.of(5L, 6L), null);
        assertThat(of("a")).isEqualTo(new RetryPolicy(3, List.of(5L, 6L), 0, 1, 0, 0));
        assertThat(of("a", new RetryOptions(null, 1000L, null, null, null, null))
                        .maxIntervalMs())
                .isEqualTo(36_000_000L);
    }
}
