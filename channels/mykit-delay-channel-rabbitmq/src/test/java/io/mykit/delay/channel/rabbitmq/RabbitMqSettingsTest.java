package io.mykit.delay.channel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RabbitMqSettingsTest {
    private static final String LONG = "n".repeat(256);

    @Test
    void theDefaultsAreThoseOfTheDefaultExchange() {
        RabbitMqSettings settings = settings(Map.of("addresses", "a:5672"));

        assertThat(settings.exchanges().find("orders")).isEmpty();
        assertThat(settings.routingKeys().find("orders").orElseThrow().pattern())
                .isEqualTo("{topic}");
        assertThat(settings.virtualHost()).isEqualTo("/");
        assertThat(settings.verifiesHost()).isTrue();
    }

    @Test
    void aTopicMayHaveAnExchangeAndAKeyOfItsOwn() {
        RabbitMqSettings settings = settings(Map.of(
                "addresses", "a:5672",
                "exchange", "events",
                "topics.orders.exchange", "amq.default",
                "topics.\"shop/*\".routing-key", "{topic}.{subtopic}"));

        assertThat(settings.exchanges().find("invoices")).contains("events");
        assertThat(settings.exchanges().find("orders")).contains("");
        assertThat(settings.routingKeys().find("shop/a").orElseThrow().pattern())
                .isEqualTo("{topic}.{subtopic}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a:5672", "a:5672,b:5672", " a:5672 , b:1 ", "[::1]:5672", "10.0.0.7:65535"})
    void addresses(String addresses) {
        assertThat(RabbitMqSettings.areAddresses(addresses)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "a:0", "a:65536", "a:5672;b:5672", "a:5672,", "amqp://a:5672", "u:p@a:5672", "::1:5672"
            })
    void noAddresses(String addresses) {
        assertThat(RabbitMqSettings.areAddresses(addresses)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "addresses            | amqp://a:5672   | rabbitmq.addresses",
                "exchange             | LONG            | rabbitmq.exchange",
                "topics.t.exchange    | LONG            | rabbitmq.topics.t.exchange",
                "virtual-host         | LONG            | rabbitmq.virtual-host",
                "routing-key          | {id}            | rabbitmq.routing-key",
                "topics.t.routing-key | {id}            | rabbitmq.topics.t.routing-key",
                "username             | me              | rabbitmq.username",
                "password             | hidden          | rabbitmq.password",
                "trust-store          | /x.pem          | rabbitmq.trust-store",
                "tls-verify-host      | false           | rabbitmq.tls-verify-host",
                "tls                  | yes, please     | rabbitmq.tls",
                "adresses             | a:5672          | rabbitmq.adresses"
            })
    void aBadValueIsToldWithItsKey(String key, String value, String named) {
        Map<String, String> keys = new HashMap<>(Map.of("mykit.delay.rabbitmq.addresses", "a:5672"));
        keys.put("mykit.delay.rabbitmq." + key, value.replace("LONG", LONG));

        assertThatThrownBy(() -> ConfigLoader.loadWithChannels(keys))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay." + named)
                .hasMessageNotContaining("hidden");
    }

    @Test
    void aTopicOfThisChannelNeedsABroker() {
        assertThatThrownBy(
                        () -> ConfigLoader.loadWithChannels(Map.of("mykit.delay.delivery.topics.orders", "rabbitmq")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("mykit.delay.rabbitmq.addresses")
                .hasMessageContaining("host:port,host:port");
    }

    @Test
    void aCertificateThatIsMissingIsToldWithItsKey() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Connector.of(
                        settings(Map.of("addresses", "a:5671", "tls", "true", "trust-store", "/no/such/file.pem"))))
                .withMessageContaining("mykit.delay.rabbitmq.trust-store = /no/such/file.pem: there is no such file");
    }

    private static RabbitMqSettings settings(Map<String, String> given) {
        Map<String, String> keys = new HashMap<>();
        given.forEach((key, value) -> keys.put("mykit.delay.rabbitmq." + key, value));
        return new RabbitMqSettings(ConfigLoader.loadWithChannels(keys)
                .channels()
                .get(RabbitMqSettings.CHANNEL)
                .settings());
    }
}
