package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShownValuesTest {
    private static final ConfigKeys KEYS = new ConfigKeys(List.of());

    @Test
    void showsDefaultsAndGivenValues() {
        Map<String, String> shown = ShownValues.of(KEYS, Map.of("mykit.delay.http.port", "7000"));
        assertThat(shown)
                .containsEntry("mykit.delay.http.port", "7000")
                .containsEntry("mykit.delay.http.host", "127.0.0.1")
                .doesNotContainKey("mykit.delay.http.admin-token");
    }

    @Test
    void namesTheDefaultOfEachOtherValue() {
        Map<String, String> changed = ShownValues.changed(
                KEYS,
                Map.of(
                        "mykit.delay.http.port", "7000",
                        "mykit.delay.http.host", "127.0.0.1",
                        "mykit.delay.queue.horizon", "60m",
                        "mykit.delay.stop.timeout", "29s",
                        "mykit.delay.http.admin-token", "s3cret",
                        "mykit.delay.http.viewer-token", "",
                        "mykit.delay.delivery.topics.orders", "pull"));
        assertThat(changed)
                .isEqualTo(Map.of(
                        "mykit.delay.http.port", "6355",
                        "mykit.delay.stop.timeout", "30s",
                        "mykit.delay.http.admin-token", "",
                        "mykit.delay.delivery.topics.orders", ""));
    }

    @Test
    void hidesSecrets() {
        Map<String, String> shown = ShownValues.of(
                KEYS,
                Map.of(
                        "mykit.delay.http.admin-token", "s3cret",
                        "mykit.delay.datasource.password", "s3cret",
                        "mykit.delay.redis.uri", "redis://:s3cret@host/0",
                        "mykit.delay.datasource.url", "jdbc:mysql://u:s3cret@db:1/d?user=u&Password=s3cret&a=b",
                        "mykit.delay.some.broker-url", "failover:(ssl://u:s3cret@a:1,tcp://b:2?jms.password=s3cret)"));
        assertThat(shown.toString()).doesNotContain("s3cret");
        assertThat(shown)
                .containsEntry("mykit.delay.http.admin-token", "set")
                .containsEntry("mykit.delay.redis.uri", "set")
                .containsEntry("mykit.delay.datasource.url", "jdbc:mysql://***@db:1/d?user=u&Password=***&a=b")
                .containsEntry("mykit.delay.some.broker-url", "failover:(ssl://***@a:1,tcp://b:2?jms.password=***)");
    }

    @Test
    void hidesThePathsOfCallbacks() {
        Map<String, String> shown = ShownValues.of(
                KEYS,
                Map.of(
                        "mykit.delay.some.slack.url", "https://hooks.example.com/services/T0/B0/s3cret?sig=s3cret",
                        "mykit.delay.some.query.url", "http://u:s3cret@a:8080?code=s3cret",
                        "mykit.delay.some.bare.url", "http://a:8080/"));
        assertThat(shown)
                .containsEntry("mykit.delay.some.slack.url", "https://hooks.example.com/***")
                .containsEntry("mykit.delay.some.query.url", "http://***@a:8080/***")
                .containsEntry("mykit.delay.some.bare.url", "http://a:8080/");
    }
}
