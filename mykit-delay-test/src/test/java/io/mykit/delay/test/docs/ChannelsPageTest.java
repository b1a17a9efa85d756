package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.rabbitmq.RabbitMqChannelFactory;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.LoadedConfig;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The configuration on the page of channels is one that the server takes, and it means what the page says. */
class ChannelsPageTest {
    @ParameterizedTest
    @ValueSource(strings = {"docs/channels.md", "docs/channels.zh-CN.md"})
    void theExampleOfRabbitMqCanBeUsed(String page) {
        String example = Page.of(page).blocks().stream()
                .filter(block -> block.contains("rabbitmq:"))
                .findFirst()
                .orElseThrow();
        Map<String, String> keys = new HashMap<>(Map.of("mykit.delay.rabbitmq.password", "change-me"));
        flatten("", new Yaml().load(example), keys);

        LoadedConfig config = ConfigLoader.loadWithChannels(keys);

        ChannelSettings settings = config.channels().get("rabbitmq").settings();
        assertThat(settings.inUse()).isTrue();
        assertThat(settings.byTopic(key("exchange")).find("orders")).contains("events");
        assertThat(settings.byTopic(key("exchange")).find("invoices")).contains("amq.default");
        assertThat(settings.byTopic(key("routing-key")).find("orders")).contains("{topic}.{subtopic}");
        assertThat(settings.byTopic(key("routing-key")).find("invoices")).contains("{topic}");
        assertThat(config.channels().get("rabbitmq").address()).contains("rabbit-1:5672,rabbit-2:5672");
    }

    private static void flatten(String name, Object value, Map<String, String> keys) {
        if (value instanceof Map<?, ?> section) {
            section.forEach((key, inner) -> flatten(name.isEmpty() ? "" + key : name + "." + key, inner, keys));
        } else {
            keys.put(name, String.valueOf(value));
        }
    }

    @SuppressWarnings("unchecked")
    private static ChannelKey<String> key(String name) {
        return (ChannelKey<String>) new RabbitMqChannelFactory()
                .keys().stream()
                        .filter(key -> key.name().equals(name))
                        .findFirst()
                        .orElseThrow();
    }
}
