package io.mykit.delay.queue.delivery;

import io.mykit.delay.config.DelayConfig;
import java.util.Map;

/**
 * What a channel is opened with.
 *
 * @param config the server's whole configuration; built-in channels read their own mapping from it
 * @param own {@code mykit.delay.channels.<name>.*}, for channels that plug in
 */
public record ChannelSettings(DelayConfig config, Map<String, String> own) {
    public ChannelSettings {
        own = Map.copyOf(own);
    }
}
