package io.mykit.delay.channel.activemq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ActiveMqSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "activemq.embedded-port|65536|from 0 to 65535",
                "activemq.format|json|must be one of body, job",
                "activemq.broker-url|nonsense|failover:(tcp://",
                "activemq.trust-store|ca.pem|broker-url with ssl://",
                "activemq.key-store|own.p12|broker-url with ssl://",
                "activemq.trust-store-password|hush-hush|needs mykit.delay.activemq.trust-store, which is missing",
                "activemq.key-store-password|hush-hush|needs mykit.delay.activemq.key-store, which is missing",
            })
    void refusesWhatIsOutOfRangeOrDoesNotGoTogether(String key, String value, String allowed) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay." + key, value)))
                .withMessageContaining(allowed)
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void takesCertificatesForFailoverToTls() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.activemq.broker-url", "failover:(ssl://a:61617,ssl://b:61617)",
                        "mykit.delay.activemq.trust-store", "ca.pem")))
                .doesNotThrowAnyException();
    }

    @Test
    void theAddressHasNoSecrets() {
        assertThat(address("failover:(tcp://user:hidden@a:1)?jms.password=hidden"))
                .isEqualTo("failover:(tcp://a:1)");
        assertThat(address("embedded")).isEqualTo("embedded");
    }

    @Test
    void theEmbeddedPortIsGivenOrNot() {
        assertThat(settings(Map.of()).embeddedPort()).isEmpty();
        assertThat(settings(Map.of("mykit.delay.activemq.embedded-port", "0")).embeddedPort())
                .contains(0);
    }

    private static String address(String brokerUrl) {
        return settings(Map.of("mykit.delay.activemq.broker-url", brokerUrl)).address();
    }

    private static ActiveMqSettings settings(Map<String, String> keys) {
        return new ActiveMqSettings(ConfigLoader.loadWithChannels(keys)
                .channels()
                .get(ActiveMqSettings.CHANNEL)
                .settings());
    }
}
