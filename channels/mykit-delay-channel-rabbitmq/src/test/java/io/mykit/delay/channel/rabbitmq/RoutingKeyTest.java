package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.common.message.DelayMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutingKeyTest {
    @ParameterizedTest
    @CsvSource({
        "{topic},               shop/orders",
        "{topic}.{subtopic},    shop/orders.a$1",
        "eu.{topic}.{topic},    eu.shop/orders.shop/orders",
        "fixed,                 fixed"
    })
    void placesAreFilled(String pattern, String key) {
        assertThat(new RoutingKey(pattern).of(message("shop/orders", "a$1"))).isEqualTo(key);
    }

    @Test
    void anEmptySubtopicLeavesItsPlaceEmpty() {
        assertThat(new RoutingKey("{topic}.{subtopic}").of(message("orders", "")))
                .isEqualTo("orders.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{id}", "{Topic}", "{}", "{topic", "topic}", "{{topic}}", "{topic}{"})
    void otherPlacesAreRefused(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RoutingKey(pattern))
                .withMessageContaining("{topic}")
                .withMessageContaining("{subtopic}");
    }

    @Test
    void theTextHasALimit() {
        assertThat(new RoutingKey("{topic}" + "é".repeat(127)).pattern()).hasSize(134);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RoutingKey("{topic}" + "é".repeat(128)))
                .withMessageContaining("255 bytes");
    }

    private static DelayMessage message(String topic, String subtopic) {
        return new DelayMessage("1", topic, subtopic, "", "", 0, 0, 0, 0, 0);
    }
}
