package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
                "grpc-api.port|65536|from 0 to 65535",
                "grpc-api.port|-1|from 0 to 65535",
                "http.max-body-size|0|from 1024",
                "http.max-batch-size|0|from 1024",
                "http.drain|61s|from 0s to 1m",
                "http.drain|soon|must be a duration",
                "http.drain|21s|must be at least 31s: 10s more than",
                "stop.timeout|14s|from 15s to 15m",
                "http.allowed-hosts|delay.example.org:80|must be names without a port",
                "http.allowed-hosts|http://delay|must be names without a port",
                "http.allowed-hosts|a,,b|must be names without a port",
                "http.allowed-hosts|*|must be names without a port",
                "log.level|DEBUG|must be one of error, warn, info, debug, trace",
                "log.max-size|65535|from 65536",
                "log.max-files|0|from 1 to 1000",
                "log.requests|sample:0|must be off, errors, all or sample:<n>",
                "log.requests|some|must be off, errors, all or sample:<n>",
                "console.bodies|some|must be one of",
                "metrics.topics|a,,b|must be names of topics, separated by commas",
                "metrics.topics|a*b|must be names of topics, separated by commas",
                "metrics.topics|**|must be names of topics, separated by commas",
                "metrics.max-topics|0|from 1 to 2000",
                "metrics.max-topics|2001|from 1 to 2000",
                "console.mask|pass word|must be names, separated by commas",
                "console.mask|a*b|must be names, separated by commas",
                "console.mask|a,,b|must be names, separated by commas",
                "redis.uri|127.0.0.1:6379|must be embedded, redis://",
                "redis.timeout|0s|from 10ms to 5m",
                "redis.max-connections|0|from 1 to 1000",
                "datasource.url|mysql://h/db|must be embedded or jdbc:mysql://",
                "datasource.max-active|0|from 1 to 1000",
                "datasource.timeout|1ms|from 100ms",
                "intake.queue-limit|0|from 1",
                "intake.batch-limit|0|from 1",
                "intake.lanes|-1|from 0 to 8",
                "intake.lanes|9|from 0 to 8",
                "intake.linger|101ms|from 0s to 100ms",
                "queue.buckets|0|from 1 to 1024",
                "queue.buckets|1025|from 1 to 1024",
                "queue.name|a{b}|becomes part of every Redis key",
                "queue.prefix|a b|becomes part of every Redis key",
                "queue.horizon|1s|from 5s",
                "queue.scan-batch|0|from 1",
                "queue.idle-poll|0s|from 10ms",
                "queue.scan-pause|101ms|from 0s to 100ms",
                "delivery.batch-size|0|from 1",
                "delivery.threads|0|from 1",
                "delivery.max-attempts|-1|from 0",
                "delivery.lease|14s|at least 5 times mykit.delay.delivery.send-timeout (3s)",
                "delivery.retry-max|499ms|at least mykit.delay.delivery.retry-min (500ms)",
                "delivery.policy.a.max-attempts|10001|from 0 to 10000",
                "delivery.policy.a.max-attempts|-1|from 0 to 10000",
                "delivery.policy.a.interval|31d|from 0s to 30d",
                "delivery.policy.a.max-interval|31d|from 0s to 30d",
                "delivery.policy.a.multiplier|0.5|from 1 to 10",
                "delivery.policy.a.multiplier|11|from 1 to 10",
                "delivery.policy.a.multiplier|1e3|must be a number",
                "delivery.policy.a.multiplier|NaN|must be a number",
                "delivery.policy.a.jitter|1.1|from 0 to 1",
                "delivery.policy.a.gaps|5s,soon|each must be a duration",
                "delivery.policy.a.gaps|5s,,6s|each must be a duration",
                "delivery.policy.a.gaps|5s,31d|from 0s to 30d",
                "delivery.policy.a.ttl|1500ms|whole seconds",
                "delivery.policy.a.dead-letter-topic|dead/*|without * at its end",
                "delivery.policy.a.rate|0.001|from 0.01 to 1000000",
                "delivery.policy.a.rate|1000001|from 0.01 to 1000000",
                "delivery.policy.a.rate|-1|must be a number",
                "delivery.policy.a.rate|fast|must be a number",
                "delivery.policy.a.concurrency|-1|from 1 to 100000",
                "delivery.policy.a.concurrency|100001|from 1 to 100000",
                "delivery.policy.a.concurrency|1.5|must be",
                "delivery.policy.a.gap|5s|did you mean mykit.delay.delivery.policy.a.gaps?",
                "delivery.policy.a|5s|must end with a key; known here are concurrency, dead-letter-topic, gaps",
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
                "tracing.otlp.endpoint|collector:4318|must be http://host:port/path",
                "tracing.otlp.endpoint|http://me:pw@collector:4318|without an account",
                "tracing.otlp.headers|token|must be name=value",
                "tracing.otlp.headers|a=1,,b=2|must be name=value",
                "tracing.otlp.timeout|99ms|from 100ms to 1m",
                "tracing.ratio|1.1|from 0 to 1",
                "tracing.ratio|-1|must be a number",
                "tracing.same-trace-within|25h|from 0s to 1d",
            })
    void outOfRange(String key, String value, String allowed) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay." + key, value)))
                .withMessageContaining(allowed);
    }

    @Test
    void gapsExcludeTheKeysOfGrowingGaps() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.policy.a.gaps", "5s",
                        "mykit.delay.delivery.policy.a.interval", "5s")))
                .withMessageContaining("mykit.delay.delivery.policy.a.gaps")
                .withMessageContaining("excludes interval, multiplier and max-interval");
    }

    @Test
    void theSmallestLeaseAndBucketNumbersThatFit() {
        assertThatCode(() -> ConfigLoader.load(Map.of(
                        "mykit.delay.delivery.lease", "15s",
                        "mykit.delay.queue.buckets", "1024",
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

    @ParameterizedTest
    @ValueSource(strings = {"我的令牌", "two words", "caf\u00e9", "tab\there"})
    void aTokenHasPrintableAsciiCharacters(String token) {
        for (String key : List.of("admin-token", "producer-token", "viewer-token")) {
            assertThatExceptionOfType(ConfigException.class)
                    .isThrownBy(() -> ConfigLoader.load(Map.of("mykit.delay.http." + key, token)))
                    .withMessageContaining("mykit.delay.http." + key + " = *** (")
                    .withMessageContaining("must have printable ASCII characters only")
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContain(token));
        }
        String all = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~aZ09";
        assertThat(ConfigLoader.load(Map.of("mykit.delay.http.admin-token", all))
                        .http()
                        .adminToken())
                .contains(new Secret(all));
    }

    @Test
    void warnings() {
        assertThat(ofOpenHost())
                .singleElement()
                .asString()
                .contains("without mykit.delay.http.admin-token any program there may call /clearAll");
        assertThat(List.of("admin-token", "viewer-token")).allSatisfy(token -> assertThat(ofOpenHost(token))
                .singleElement()
                .asString()
                .contains("without mykit.delay.http.producer-token any program there may push"));
        assertThat(ofOpenHost("producer-token")).isEmpty();
        assertThat(ofOpenHost("producer-token", "admin-token")).isEmpty();
        Map<String, String> openCalls =
                Map.of("mykit.delay.grpc-api.port", "6356", "mykit.delay.grpc-api.host", "0.0.0.0");
        assertThat(warnings(openCalls))
                .singleElement()
                .asString()
                .contains("mykit.delay.grpc-api.host = 0.0.0.0 can be reached from other machines");
        assertThat(warnings(Map.of("mykit.delay.grpc-api.host", "0.0.0.0")))
                .as("without a port")
                .isEmpty();
        assertThat(warnings(
                        Map.of("mykit.delay.http.viewer-token", "short-1", "mykit.delay.http.admin-token", "short-2")))
                .hasSize(2)
                .allSatisfy(warning -> assertThat(warning)
                        .contains("-token has fewer than 16 characters")
                        .doesNotContain("short-"));
        assertThat(warnings(Map.of("mykit.delay.registry.server-list", "z:1")))
                .singleElement()
                .asString()
                .contains("not used in standalone");
        assertThat(warnings(STANDBY)).isEmpty();
    }

    @Test
    void aStopThatIsTooShortForASendIsWarnedOf() {
        assertThat(warnings(Map.of("mykit.delay.stop.timeout", "29s", "mykit.delay.delivery.send-timeout", "12s")))
                .isEmpty();
        assertThat(warnings(Map.of("mykit.delay.stop.timeout", "26s", "mykit.delay.delivery.send-timeout", "12s")))
                .singleElement()
                .asString()
                .contains("may take 12s", "waits only 16s", "mykit.delay.stop.timeout to at least 27s");
    }

    private static List<String> warnings(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(Map.of("mykit.delay.delivery.default-channel", "fake", "mykit.delay.fake.url", "x://own"));
        return ConfigLoader.load(all, new ChannelCatalog(List.of(new FakeFactory("fake"))))
                .warnings();
    }

    private static List<String> ofOpenHost(String... tokens) {
        Map<String, String> settings = new HashMap<>(Map.of("mykit.delay.http.host", "0.0.0.0"));
        for (String token : tokens) {
            settings.put("mykit.delay.http." + token, "0123456789abcdef");
        }
        return warnings(settings);
    }
}
