package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.SettingsSection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A channel on the class path, and its section of the configuration. Immutable.
 *
 * @param factory makes the channel
 * @param settings the channel's own section, and nothing else of the configuration
 */
public record InstalledChannel(DeliveryChannelFactory factory, ChannelSettings settings) {
    /** Opens the channel; see {@link DeliveryChannelFactory#open}. */
    public DeliveryChannel open() {
        return factory.open(settings);
    }

    /** The destination of the channel, for a person. */
    public Optional<String> address() {
        return factory.address(settings);
    }

    /** See {@link DeliveryChannelFactory#longestSend}. */
    Duration longestSend() {
        return factory.longestSend(settings);
    }

    /** The values that contain host names, {@code host:port,...} or {@code host:port;...}, by full key. */
    public Map<String, String> hosts() {
        Map<String, String> hosts = new TreeMap<>();
        for (ChannelKey<?> key : factory.keys()) {
            settings.find(key)
                    .filter(value -> key.hosts())
                    .ifPresent(value -> hosts.put(settings.name(key), value.toString()));
        }
        return hosts;
    }

    /** Adds the problems that the channel finds in its settings. */
    void check(Problems problems) {
        check(factory, settings, problems);
    }

    static void check(SettingsSection section, ChannelSettings settings, Problems problems) {
        try {
            section.check(settings, new ChannelProblems() {
                @Override
                public void add(ChannelKey<?> key, String allowed) {
                    problems.add(settings.name(key), allowed);
                }

                @Override
                public void add(ChannelKey<?> key, String part, String allowed) {
                    problems.add(settings.name(key, part), allowed);
                }
            });
        } catch (RuntimeException | LinkageError e) {
            throw new ConfigException(section.name() + " cannot check its settings: " + e, e);
        }
    }
}
