package io.mykit.delay.test.delivery;

import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.DelayConfig;
import io.mykit.delay.queue.delivery.ChannelSettings;
import java.util.HashMap;
import java.util.Map;

/** The configuration as it is for a server, with some keys set. */
public final class ChannelConfig {

    private ChannelConfig() {}

    /** @param keys below {@code mykit.delay.} */
    public static DelayConfig of(Map<String, String> keys) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("mykit.delay." + key, value));
        return ConfigLoader.load(full);
    }

    /** For one channel without settings of its own. */
    public static ChannelSettings settings(Map<String, String> keys) {
        return new ChannelSettings(of(keys), Map.of());
    }
}
