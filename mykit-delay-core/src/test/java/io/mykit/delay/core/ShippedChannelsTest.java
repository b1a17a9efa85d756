package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.config.CommandLine;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.ConfigReference;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.core.embedded.EmbeddedParts;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The channels that come with the server, and their keys in application.yml. */
class ShippedChannelsTest {
    @Test
    void theChannelsOfTheServerAreInstalled() {
        assertThat(ConfigLoader.loadWithChannels(Map.of()).channels().keySet())
                .containsExactly("activemq", "console", "grpc", "kafka", "rabbitmq", "rocketmq", "webhook");
    }

    @Test
    void theFileHasTheKeysDefaultsAndExplanationsThatTheChannelsDeclare() {
        assertThat(ConfigReference.inFile()).containsExactlyInAnyOrderElementsOf(ConfigReference.entries());
    }

    @Test
    void theShippedFileChangesNothing(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("application.yml");
        try (InputStream shipped = ConfigReference.class.getResourceAsStream("/application.yml")) {
            Files.copy(shipped, file);
        }

        LoadedConfig loaded = ConfigLoader.load(CommandLine.parse("--config", file.toString()));

        assertThat(loaded.file()).contains(file);
        assertThat(loaded.warnings()).isEmpty();
    }

    @Test
    void helpListsTheKeysOfTheChannels() {
        assertThat(Help.text())
                .contains("  mykit.delay.activemq.broker-url = embedded\n      embedded (a broker in this process")
                .contains("  mykit.delay.rocketmq.namesrv-addr\n      Name servers,")
                .contains("  mykit.delay.rocketmq.tls = false\n");
    }

    @Test
    void anEmbeddedBrokerThatNodesCannotShareIsWarnedOf() {
        Map<String, String> standby = Map.of(
                "mykit.delay.mode", "master-standby",
                "mykit.delay.registry.server-list", "zk1:2181",
                "mykit.delay.redis.uri", "redis://r:6379",
                "mykit.delay.datasource.url", "jdbc:mysql://m:3306/delay");
        assertThat(EmbeddedParts.warnings(ConfigLoader.loadWithChannels(standby)))
                .singleElement()
                .asString()
                .contains("embedded in master-standby");
        assertThat(EmbeddedParts.warnings(ConfigLoader.loadWithChannels(Map.of())))
                .isEqualTo(List.of());
    }
}
