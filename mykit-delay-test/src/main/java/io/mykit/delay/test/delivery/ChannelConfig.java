package io.mykit.delay.test.delivery;

import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.delivery.ChannelSettings;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The configuration as it is for a server, with some keys set. */
public final class ChannelConfig {

    private ChannelConfig() {}

    /** @param keys below {@code mykit.delay.} */
    public static DelayConfig of(Map<String, String> keys) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("mykit.delay." + key, value));
        return new SmallRyeConfigBuilder()
                .withMapping(DelayConfig.class)
                .withConverter(Duration.class, 200, ChannelConfig::duration)
                .withSources(new PropertiesConfigSource(full, "test", 500))
                .build()
                .getConfigMapping(DelayConfig.class);
    }

    /** For one channel without settings of its own. */
    public static ChannelSettings settings(Map<String, String> keys) {
        return new ChannelSettings(of(keys), Map.of());
    }

    private static Duration duration(String text) {
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.parse("PT" + text);
    }
}
