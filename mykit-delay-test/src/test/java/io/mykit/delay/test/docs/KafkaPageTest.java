package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.test.server.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The configurations on the page of Kafka are read by the server, and open a channel. */
class KafkaPageTest {
    @TempDir
    private Path dir;

    @ParameterizedTest
    @ValueSource(strings = {"docs/kafka.md", "docs/kafka.zh-CN.md"})
    void theConfigurationsOnThePageAreRead(String path) throws Exception {
        List<String> examples = Page.of(path).blocks().stream()
                .filter(block -> block.startsWith("mykit:"))
                .toList();
        assertThat(examples).hasSize(3);
        Path certificate = TestCertificate.make(dir, "ca", "ip:127.0.0.1").chain();
        for (String example : examples) {
            Path file = Files.writeString(
                    dir.resolve("kafka.yml"), example.replace("/etc/mykit-delay/kafka-ca.pem", certificate.toString()));
            LoadedConfig loaded = ConfigLoader.load(CommandLine.parse("--config", file.toString()));
            try (DeliveryChannel channel = loaded.channels().get("kafka").open()) {
                assertThat(channel.objection(Messages.message("id", "orders", "", "customer-7", "b")))
                        .isEmpty();
            }
        }
    }
}
