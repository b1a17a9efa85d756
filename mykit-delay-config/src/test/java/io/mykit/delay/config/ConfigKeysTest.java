package io.mykit.delay.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigKeysTest {
    private final ConfigKeys keys = new ConfigKeys(List.of(new FakeFactory("mine")));

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
                "mykit.delay.mine.url"
            })
    void entriesOfMapsAndKeysOfChannelsAreKeys(String name) {
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
                "mykit.delay.channels.mine.url",
                "mykit.delay.mine",
                "mykit.delay.mine.url.x",
                "mykit.delay.other.url",
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
        "mykit.delay.queue.bucket,mykit.delay.queue.buckets",
        "MYKIT_DELAY_HTTP_PROT,MYKIT_DELAY_HTTP_PORT",
        "mykit.delay.mine.ulr,mykit.delay.mine.url",
    })
    void guessesWhatWasMeant(String written, String meant) {
        assertThat(keys.nearest(written)).contains(meant);
    }

    @Test
    void knowsSecretsByTypeAndByName() {
        assertThat(keys.isSecret("mykit.delay.mine.credential")).isTrue();
        assertThat(keys.isSecret("mykit.delay.mine.pasword")).isFalse();
        assertThat(keys.isSecret("mykit.delay.some.password")).isTrue();
        assertThat(keys.isSecret("mykit.delay.mine.url")).isFalse();
    }

    @Test
    void doesNotGuessWildly() {
        assertThat(keys.nearest("mykit.delay.something.else.altogether")).isEmpty();
    }
}
