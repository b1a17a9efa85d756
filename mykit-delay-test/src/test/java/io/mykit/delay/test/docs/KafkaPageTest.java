package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The configurations on the page of Kafka are read by the server, and open a channel. */
class KafkaPageTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"docs/kafka.md", "docs/kafka.zh-CN.md"})
    void theConfigurationsOnThePageAreRead(String path) {
        List<String> examples = Page.of(path).blocks().stream()
                .filter(block -> block.startsWith("mykit:"))
                .toList();
        assertThat(examples).hasSize(4);
        Path certificate = TestCertificate.make(dir, "ca", "ip:127.0.0.1").chain();
        for (String example : examples) {
            Map<String, String> values = new HashMap<>();
            flatten("", new Yaml().load(example), values);
            values.replaceAll((key, value) -> key.endsWith("trust-store") ? certificate.toString() : value);
            LoadedConfig loaded = ConfigLoader.loadWithChannels(values);
            try (DeliveryChannel channel = loaded.channels().get("kafka").open()) {
                assertThat(channel.objection(Messages.message("id", "orders", "", "customer-7", "b")))
                        .isEmpty();
            }
        }
    }

    private static void flatten(String prefix, Map<String, Object> section, Map<String, String> values) {
        section.forEach((key, value) -> {
            if (value instanceof Map<?, ?> deeper) {
                Map<String, Object> next = new HashMap<>();
                deeper.forEach((name, each) -> next.put(name.toString(), each));
                flatten(prefix + key + ".", next, values);
            } else {
                values.put(prefix + key, value.toString());
            }
        });
    }
}
