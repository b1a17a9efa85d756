package io.mykit.delay.channel.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.mykit.delay.config.ConfigException;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.InstalledChannel;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RocketMqSettingsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "delivery.default-channel|rocketmq|rocketmq.namesrv-addr",
                "delivery.topics.ces|rocketmq|rocketmq.namesrv-addr",
                "rocketmq.producer-group|a b|1 to 255",
                "rocketmq.namespace|a%b|1 to 64 of A-Z",
                "rocketmq.access-key|someone|together with mykit.delay.rocketmq.secret-key, which is missing",
                "rocketmq.secret-key|hush-hush|together with mykit.delay.rocketmq.access-key, which is missing",
                "rocketmq.tls|maybe|must be true or false",
                "rocketmq.tls-verify-host|false|with mykit.delay.rocketmq.tls = true only",
                "rocketmq.trust-store|ca.pem|with mykit.delay.rocketmq.tls = true only",
                "rocketmq.key-store|own.p12|with mykit.delay.rocketmq.tls = true only",
                "rocketmq.trust-store-password|hush-hush|needs mykit.delay.rocketmq.trust-store, which is missing",
                "rocketmq.key-store-password|hush-hush|needs mykit.delay.rocketmq.key-store, which is missing",
                "rocketmq.stored-unconfirmed|lost|must be one of delivered, unavailable",
            })
    void refusesWhatIsOutOfRangeOrDoesNotGoTogether(String key, String value, String allowed) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay." + key, value)))
                .withMessageContaining(allowed)
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void takesAnAccountCertificatesAndNameServers() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.default-channel", "rocketmq",
                        "mykit.delay.rocketmq.namesrv-addr", "127.0.0.1:9876;127.0.0.1:9877",
                        "mykit.delay.rocketmq.tls", "true",
                        "mykit.delay.rocketmq.key-store", "own.p12",
                        "mykit.delay.rocketmq.key-store-password", "p",
                        "mykit.delay.rocketmq.access-key", "mykit-delay",
                        "mykit.delay.rocketmq.secret-key", "s")))
                .doesNotThrowAnyException();
    }

    @Test
    void theAddressIsThatOfTheNameServers() {
        assertThat(ConfigLoader.loadWithChannels(Map.of("mykit.delay.rocketmq.namesrv-addr", "a:1;b:2"))
                        .channels()
                        .get("rocketmq")
                        .address())
                .contains("a:1;b:2");
    }

    @Test
    void aMissingNameServerIsNamedByItsKeyWhenTheChannelIsOpened() {
        InstalledChannel channel =
                ConfigLoader.loadWithChannels(Map.of()).channels().get("rocketmq");
        assertThatIllegalArgumentException()
                .isThrownBy(channel::open)
                .withMessageContaining("mykit.delay.rocketmq.namesrv-addr is missing");
    }
}
