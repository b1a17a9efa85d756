package org.example.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behaviour beyond the contract: the settings, and a disk that refuses writes. */
class FileChannelTest {
    private final FileChannelFactory factory = new FileChannelFactory();

    @TempDir
    Path dir;

    @Test
    void theServerFindsTheChannel() {
        assertThat(ServiceLoader.load(DeliveryChannelFactory.class))
                .extracting(DeliveryChannelFactory::name)
                .contains("file");
    }

    @Test
    void missingAndBadSettingsAreNamed() {
        List<String> problems = new ArrayList<>();
        ChannelSettings settings = settings(Map.of("max-line", "3"));

        factory.check(settings, (ChannelKey<?> key, String allowed) -> problems.add(settings.name(key)));

        assertThat(problems).containsExactly("mykit.delay.file.path", "mykit.delay.file.max-line");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> factory.open(settings))
                .withMessageContaining("file.path");
    }

    @Test
    void aDirectoryInPlaceOfTheFileIsUnavailable() {
        try (DeliveryChannel channel = open(dir)) {
            assertUnavailable(channel);
            assertThat(channel.health().up()).isFalse();
        }
    }

    @Test
    void aFullDiskIsUnavailable() {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "only Linux has a device that is always full");
        try (DeliveryChannel channel = open(full)) {
            assertUnavailable(channel);
        }
    }

    @Test
    void nothingIsWrittenAfterClose() {
        Path file = dir.resolve("messages.tsv");
        DeliveryChannel channel = open(file);
        channel.close();
        assertUnavailable(channel);
        assertThat(file).doesNotExist();
    }

    private static void assertUnavailable(DeliveryChannel channel) {
        List<DelayMessage> batch = Messages.batch("orders", 3, 10);
        assertThat(channel.deliver("orders", batch))
                .hasSize(3)
                .extracting(Delivery::kind)
                .containsOnly(Delivery.Kind.UNAVAILABLE);
    }

    private DeliveryChannel open(Path file) {
        return factory.open(settings(Map.of("path", file.toString())));
    }

    private ChannelSettings settings(Map<String, String> given) {
        return ChannelSettings.of(factory.name(), factory.keys(), given, Duration.ofSeconds(10));
    }
}
