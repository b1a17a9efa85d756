package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    @Test
    void nothingAskedFor() {
        assertThat(CommandLine.parse()).isEqualTo(new CommandLine(false, false, Optional.empty(), Map.of()));
    }

    @Test
    void helpAndVersion() {
        assertThat(CommandLine.parse("--help").help()).isTrue();
        assertThat(CommandLine.parse("-h").help()).isTrue();
        assertThat(CommandLine.parse("--version").version()).isTrue();
    }

    @Test
    void valuesAfterEqualsOrBlank() {
        CommandLine line =
                CommandLine.parse("--config", "a.yml", "--mykit.delay.http.port", "7", "--mykit.delay.x=a=b");

        assertThat(line.file()).contains(Path.of("a.yml"));
        assertThat(line.settings())
                .containsExactlyInAnyOrderEntriesOf(Map.of("mykit.delay.http.port", "7", "mykit.delay.x", "a=b"));
    }

    @Test
    void everythingElseIsRefusedAtOnce() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> CommandLine.parse("start", "--mykit.delay.http.port"))
                .withMessageContaining("start: not an option")
                .withMessageContaining("--mykit.delay.http.port: needs a value");
    }
}
