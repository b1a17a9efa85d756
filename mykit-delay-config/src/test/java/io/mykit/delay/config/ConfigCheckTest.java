package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigCheckTest {
    private static final Map<String, String> STANDBY = Map.of(
            "mykit.delay.mode", "master-standby",
            "mykit.delay.registry.server-list", "zk1:2181",
            "mykit.delay.redis.uri", "redis://r:6379",
            "mykit.delay.datasource.url", "jdbc:mysql://m:3306/delay");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http.port|65536|from 0 to 65535",
                "http.port|-1|from 0 to 65535",
                "http.max-body-size|0|from 1024",
                "http.max-batch-size|0|from 1024",
                "http.drain|61s|from 0s to 1m",
                "http.drain|soon|must be a duration",
                "http.allowed-hosts|delay.example.org:80|must be names without a port",
                "http.allowed-hosts|http://delay|must be names without a port",
                "http.allowed-hosts|a,,b|must be names without a port",
                "http.allowed-hosts|*|must be names without a port",
                "redis.uri|127.0.0.1:6379|must be embedded, redis://",
                "redis.timeout|0s|from 10ms to 5m",
                "redis.max-connections|0|from 1 to 1000",
                "datasource.url|mysql://h/db|must be embedded or jdbc:mysql://",
                "datasource.max-active|0|from 1 to 1000",
                "datasource.timeout|1ms|from 100ms",
                "intake.queue-limit|0|from 1",
                "intake.batch-limit|0|from 1",
                "queue.bucket-size|0|from 1 to 1024",
                "queue.bucket-size|1025|from 1 to 1024",
                "queue.name|a{b}|becomes part of every Redis key",
                "queue.prefix|a b|becomes part of every Redis key",
                "queue.horizon|1s|from 5s",
                "queue.scan-batch|0|from 1",
                "queue.idle-poll|0s|from 10ms",
                "delivery.batch-size|0|from 1",
                "delivery.threads|0|from 1",
                "delivery.max-attempts|-1|from 0",
                "delivery.lease|14s|at least 5 times mykit.delay.delivery.send-timeout (3s)",
                "delivery.retry-max|499ms|at least mykit.delay.delivery.retry-min (500ms)",
                "delivery.default-channel|rocketmq|rocketmq.namesrv-addr",
                "delivery.topics.ces|rocketmq|rocketmq.namesrv-addr",
                "recovery.interval|0s|from 10ms",
                "recovery.page-size|0|from 1",
                "retention.enabled|maybe|must be true or false",
                "retention.keep|59s|from 1m to 3650d",
                "retention.keep-failed|0s|from 1m to 3650d",
                "retention.batch-size|0|from 1 to 500",
                "retention.batch-size|501|from 1 to 500",
                "retention.rate|0|from 1 to 100000",
                "flow-log|some|must be one of full, final, off",
                "registry.session-timeout|10ms|from 1s",
                "registry.unfit-after|1s|from 2s to 1h",
                "registry.unfit-after|61m|from 2s to 1h",
                "registry.unfit-after|-1s|must be a duration",
                "registry.server-list|a b|host:port",
                "registry.namespace|/a|without /",
                "activemq.embedded-port|65536|from 0 to 65535",
                "activemq.format|json|must be one of body, job",
                "activemq.broker-url|nonsense|failover:(tcp://",
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
                "activemq.trust-store|ca.pem|broker-url with ssl://",
                "activemq.key-store|own.p12|broker-url with ssl://",
                "activemq.trust-store-password|hush-hush|needs mykit.delay.activemq.trust-store, which is missing",
                "activemq.key-store-password|hush-hush|needs mykit.delay.activemq.key-store, which is missing",
            })
    void outOfRange(String key, String value, String allowed) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay." + key, value)))
                .withMessageContaining(allowed)
                .withMessageNotContaining("hush-hush");
    }

    @Test
    void certificatesForFailoverToTls() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.activemq.broker-url", "failover:(ssl://a:61617,ssl://b:61617)",
                        "mykit.delay.activemq.trust-store", "ca.pem",
                        "mykit.delay.rocketmq.tls", "true",
                        "mykit.delay.rocketmq.key-store", "own.p12",
                        "mykit.delay.rocketmq.key-store-password", "p",
                        "mykit.delay.rocketmq.access-key", "mykit-delay",
                        "mykit.delay.rocketmq.secret-key", "s")))
                .doesNotThrowAnyException();
    }

    @Test
    void theSmallestLeaseAndBucketNumbersThatFit() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.lease", "15s",
                        "mykit.delay.queue.bucket-size", "1024",
                        "mykit.delay.queue.horizon", "1h",
                        "mykit.delay.http.port", "0")))
                .doesNotThrowAnyException();
    }

    @Test
    void prefixAndNameHaveToFitTogether() {
        String prefix = "p".repeat(64);
        assertThatCode(() -> ConfigLoader.load(
                        Map.of("mykit.delay.queue.prefix", prefix, "mykit.delay.queue.name", "n".repeat(63))))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(
                        Map.of("mykit.delay.queue.prefix", prefix, "mykit.delay.queue.name", "n".repeat(64))))
                .withMessageContaining("mykit.delay.queue.prefix")
                .withMessageContaining("at most 127 characters together with mykit.delay.queue.name");
    }

    @Test
    void rocketmqWithNameServers() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.default-channel", "rocketmq",
                        "mykit.delay.rocketmq.namesrv-addr", "127.0.0.1:9876;127.0.0.1:9877")))
                .doesNotThrowAnyException();
    }

    @Test
    void zeroTurnsTheWaitsOff() {
        DelayConfig config =
                ConfigLoader.load(Map.of("mykit.delay.http.drain", "0s", "mykit.delay.registry.unfit-after", "0s"));
        assertThat(config.http().drain()).hasValue(Duration.ZERO);
        assertThat(config.registry().unfitAfter()).isZero();
        assertThat(ConfigLoader.load(Map.of()).http().drain()).isEmpty();
    }

    @Test
    void masterStandbyWithEverythingNamed() {
        assertThatCode(() -> ConfigLoader.load(STANDBY)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "registry.server-list||is needed in master-standby",
                "redis.uri|embedded|cannot be shared",
                "datasource.url|embedded|cannot be shared",
            })
    void masterStandbyNeedsWhatIsShared(String key, String value, String allowed) {
        Map<String, String> settings = new HashMap<>(STANDBY);
        settings.put("mykit.delay." + key, value == null ? "" : value);

        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(settings))
                .withMessageContaining("mykit.delay." + key)
                .withMessageContaining(allowed);
    }

    @Test
    void warnings() {
        Map<String, String> open = Map.of("mykit.delay.http.host", "0.0.0.0");
        assertThat(ConfigWarnings.of(ConfigLoader.load(open)))
                .singleElement()
                .asString()
                .contains("admin-token");
        assertThat(ConfigWarnings.of(ConfigLoader.load(
                        Map.of("mykit.delay.http.host", "0.0.0.0", "mykit.delay.http.admin-token", "t"))))
                .isEmpty();
        assertThat(ConfigWarnings.of(ConfigLoader.load(Map.of("mykit.delay.registry.server-list", "z:1"))))
                .singleElement()
                .asString()
                .contains("not used in standalone");
        assertThat(ConfigWarnings.of(ConfigLoader.load(STANDBY)))
                .singleElement()
                .asString()
                .contains("embedded in master-standby");
    }
}
