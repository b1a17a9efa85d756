package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeysTest {
    private final ConfigKeys keys = new ConfigKeys();

    @Test
    void keysAreReadOffTheMappings() {
        assertThat(keys.find("mykit.delay.http.port")).hasValueSatisfying(key -> {
            assertThat(key.type()).isEqualTo(int.class);
            assertThat(key.defaultValue()).contains("6355");
            assertThat(key.optional()).isFalse();
        });
        assertThat(keys.find("mykit.delay.registry.session-timeout"))
                .hasValueSatisfying(key -> assertThat(key.type()).isEqualTo(Duration.class));
        assertThat(keys.find("mykit.delay.datasource.password")).hasValueSatisfying(key -> {
            assertThat(key.type()).isEqualTo(Secret.class);
            assertThat(key.optional()).isTrue();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mykit.delay.delivery.topics.ces",
                "mykit.delay.delivery.topics.\"a.b\"",
                "mykit.delay.delivery.topics.ces.channel",
                "mykit.delay.delivery.topics.\"a.b\".channel",
                "mykit.delay.channels.mine.url"
            })
    void entriesOfMapsAreKeys(String name) {
        assertThat(keys.find(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mykit.delay.http",
                "mykit.delay.http.prot",
                "mykit.delay.delivery.topics",
                "mykit.delay.delivery.topics.",
                "mykit.delay.delivery.topics.\"\"",
                "mykit.delay.delivery.topics.*.x",
                "mykit.delay.delivery.topics.\"a.b\".x",
                "mykit.delay.delivery.topics.a.b.channel",
                "mykit.delay.channels.mine",
                "http.port"
            })
    void othersAreNot(String name) {
        assertThat(keys.find(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "mykit.delay.http.prot,mykit.delay.http.port",
        "http.port,mykit.delay.http.port",
        "mykit.delay.dataDir,mykit.delay.data-dir",
        "mykit.delay.queue.bucketsize,mykit.delay.queue.bucket-size",
        "MYKIT_DELAY_HTTP_PROT,MYKIT_DELAY_HTTP_PORT",
    })
    void guessesWhatWasMeant(String written, String meant) {
        assertThat(keys.nearest(written)).contains(meant);
    }

    @Test
    void doesNotGuessWildly() {
        assertThat(keys.nearest("mykit.delay.something.else.altogether")).isEmpty();
    }
}
