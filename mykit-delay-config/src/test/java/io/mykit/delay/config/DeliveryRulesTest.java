package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveryRulesTest {
    private static final ConfigKeys KEYS = new ConfigKeys(List.of());

    private static Map<String, String> of(Map<String, String> values) {
        return DeliveryRules.of(ShownValues.of(KEYS, values));
    }

    @Test
    void rulesDecideWhereAndHowMessagesAreDelivered() {
        assertThat(of(Map.of(
                        "mykit.delay.delivery.topics.newt.channel", "pull",
                        "mykit.delay.delivery.policy.shop/*.max-attempts", "3",
                        "mykit.delay.webhook.topics.newt.url", "https://hooks.example.com/services/secret",
                        "mykit.delay.webhook.topics.newt.secret", "a secret")))
                .containsEntry("delivery.topics.newt.channel", "pull")
                .containsEntry("delivery.policy.shop/*.max-attempts", "3")
                .containsEntry("webhook.topics.newt.url", "https://hooks.example.com/***")
                .containsEntry("webhook.topics.newt.secret", "set")
                .as("defaults")
                .containsEntry("delivery.default-channel", "activemq")
                .containsEntry("delivery.max-attempts", "16")
                .containsEntry("delivery.on-difference", "wait");
    }

    @Test
    void whatIsOfTheNodeIsNoRule() {
        Map<String, String> rules = of(Map.of());
        assertThat(of(Map.of(
                        "mykit.delay.delivery.threads", "3",
                        "mykit.delay.delivery.batch-size", "7",
                        "mykit.delay.delivery.send-timeout", "1s",
                        "mykit.delay.delivery.lease", "90s",
                        "mykit.delay.http.port", "7000",
                        "mykit.delay.datasource.password", "a secret",
                        "mykit.delay.webhook.url", "https://hooks.example.com/services/secret")))
                .isEqualTo(rules);
    }
}
