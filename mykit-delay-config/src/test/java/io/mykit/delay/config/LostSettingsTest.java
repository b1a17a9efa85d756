package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A setting that YAML or Java would drop stops the start. */
class LostSettingsTest {
    private static final String DELAY = "mykit.delay.";
    private static final String WIDE = "should \"：\" be \":\"?";

    @TempDir
    private Path dir;

    private Path file;

    @BeforeEach
    void nameTheFile() {
        file = dir.resolve("application.yml");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "delivery.topics: { 订单：pull }; delivery.topics.订单：pull",
                "delivery: {topics: {订单：pull, orders: pull}}; delivery.topics.订单：pull",
                "delivery: {topics: {shop.订单：pull}}; delivery.topics.shop.订单：pull",
                "http: {port：7000}; http.port：7000"
            })
    void aFullWidthColonIsAskedAbout(String yaml, String key) {
        assertThat(refusal(yaml))
                .contains(DELAY + key + " =  (from " + file + "): has no value; " + WIDE)
                .hasLineCount(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "delivery.topics: { orders }; delivery.topics.orders; give it one",
                "delivery.topics: { orders: }; delivery.topics.orders; give it one",
                "delivery.topics.orders:; delivery.topics.orders; give it one",
                "delivery.topics: { orders:pull }; delivery.topics.orders:pull; with a blank after the colon",
                "delivery.topics: { orders: {channel: } }; delivery.topics.orders.channel; give it one",
                "delivery.policy: { orders: }; delivery.policy.orders; give it one",
                "http: {prot: }; http.prot; give it one",
            })
    void anEntryWithoutAValueIsRefused(String yaml, String key, String advice) {
        assertThat(refusal(yaml))
                .contains(DELAY + key + " =  (from " + file + "): has no value; ")
                .contains(advice)
                .hasLineCount(2);
    }

    @Test
    void aTopicOfAChannelWithoutAValueIsRefused() {
        assertThat(refusal("webhook.topics: { orders: }"))
                .contains(DELAY + "webhook.topics.orders = *** (from " + file + "): has no value; give it one");
    }

    @Test
    void aSectionWithATextIsRefused() {
        assertThat(refusal("http:\n      admin-token：s3cret"))
                .contains(DELAY + "http = *** (from " + file + "): is a section")
                .doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http: {admin-token：s3cret}",
                "http: {admin-token:s3cret}",
                "redis: {uri：redis://:s3cret@h:1}",
                "datasource: {'url：jdbc:mysql://h/d?password=s3cret'}",
            })
    void aSecretBehindTheColonIsHidden(String yaml) {
        assertThat(refusal(yaml)).contains("***", "has no value").doesNotContain("s3cret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "http:",
                "delivery: {topics: , policy: }",
                "delivery: {topics: {}, policy: {}}",
                "delivery.topics: {empty: {}}",
                "http: {admin-token: , port: , drain: }",
                "http: {admin-token: ''}",
                "kafka:",
                "channels:",
                "channels: {kafka: }",
                "delivery.policy: {orders: {ttl: }}",
            })
    void emptySectionsAndSettingsAreAllowed(String yaml) {
        assertThat(load(yaml, Map.of(), Map.of(), new Properties())
                        .config()
                        .delivery()
                        .topics())
                .isEmpty();
    }

    @Test
    void replacedCharactersAreRefused() {
        Properties properties = new Properties();
        properties.setProperty("mykit.delay.queue.prefix", "\uFFFD\uFFFD");
        Map<String, String> environment = Map.of("MYKIT_DELAY_DELIVERY_TOPICS_ORDERS", "\uFFFD");
        Map<String, String> arguments =
                Map.of("mykit.delay.delivery.topics.\uFFFD", "pull", "mykit.delay.http.admin-token", "s3cret\uFFFD");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> load("", environment, arguments, properties))
                .withMessageContaining(
                        "topics.\uFFFD = pull (from the command line): has characters that Java cannot read")
                .withMessageContaining("admin-token = *** (from the command line): has characters")
                .withMessageContaining(
                        "ORDERS = \uFFFD (from the environment variable MYKIT_DELAY_DELIVERY_TOPICS_ORDERS)")
                .withMessageContaining("(from -Dmykit.delay.queue.prefix): has characters")
                .withMessageContaining("set LANG=C.UTF-8")
                .satisfies(e -> assertThat(e.getMessage()).hasLineCount(5).doesNotContain("s3cret"));
    }

    private String refusal(String yaml) {
        try {
            load(yaml, Map.of(), Map.of(), new Properties());
            return "";
        } catch (ConfigException refused) {
            return refused.getMessage();
        }
    }

    /** @param yaml what stands below mykit.delay */
    private LoadedConfig load(
            String yaml, Map<String, String> environment, Map<String, String> arguments, Properties properties) {
        try {
            Files.writeString(file, "mykit:\n  delay:\n    " + yaml + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return ConfigLoader.load(
                new CommandLine(false, false, Optional.of(file), arguments),
                environment,
                properties,
                new ChannelCatalog(List.of(new FakeFactory("webhook"))));
    }
}
