package io.mykit.delay.test.delivery;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.config.ConfigLoader;
import io.mykit.delay.config.LoadedConfig;
import java.util.HashMap;
import java.util.Map;

/** The configuration as it is for a server, with some keys set. */
public final class ChannelConfig {

    private ChannelConfig() {}

    /** @param keys below {@code mykit.delay.} */
    public static LoadedConfig of(Map<String, String> keys) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("mykit.delay." + key, value));
        return ConfigLoader.loadWithChannels(full);
    }

    /** A channel with the part of it that the channel sees. */
    public static DeliveryChannel open(DeliveryChannelFactory channel, Map<String, String> keys) {
        return channel.open(of(keys).channels().get(channel.name()).settings());
    }
}
