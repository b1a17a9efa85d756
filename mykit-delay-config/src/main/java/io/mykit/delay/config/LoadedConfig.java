package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.SettingsSection;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A valid configuration: the sections of the server and of the channels. Immutable. */
public final class LoadedConfig {
    private final DelayConfig config;
    private final ChannelCatalog catalog;
    private final Map<String, InstalledChannel> channels;
    private final Map<SettingsSection, ChannelSettings> others;
    private final Optional<Path> file;
    private final List<String> warnings;
    /** The values by full key. Secrets are not hidden here. */
    private final Map<String, String> values;
    /** The values that the user gave. */
    private final Map<String, String> given;

    LoadedConfig(
            DelayConfig config,
            ChannelCatalog catalog,
            Optional<Path> file,
            List<String> warnings,
            Map<String, String> values) {
        this(config, catalog, file, warnings, values, values);
    }

    private LoadedConfig(
            DelayConfig config,
            ChannelCatalog catalog,
            Optional<Path> file,
            List<String> warnings,
            Map<String, String> values,
            Map<String, String> given) {
        this.config = config;
        this.catalog = catalog;
        this.channels = Collections.unmodifiableMap(catalog.with(values, config.delivery()));
        this.others = Map.copyOf(catalog.others(values, config.delivery()));
        this.file = file;
        this.warnings = List.copyOf(warnings);
        this.values = Map.copyOf(values);
        this.given = Map.copyOf(given);
    }

    /** The sections of the server. */
    public DelayConfig config() {
        return config;
    }

    /** The channels on the class path with their sections, in use or not, by name. */
    public Map<String, InstalledChannel> channels() {
        return channels;
    }

    /**
     * A section that belongs to no channel.
     *
     * @param name without {@code mykit.delay.}
     * @return empty if no part on the class path declares it
     */
    public Optional<ChannelSettings> section(String name) {
        return others.entrySet().stream()
                .filter(section -> section.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** Adds the problems of all sections that belong to channels and other guests. */
    void check(Problems problems) {
        channels.values().forEach(channel -> channel.check(problems));
        others.forEach((section, settings) -> InstalledChannel.check(section, settings, problems));
    }

    /** The file that was read. */
    public Optional<Path> file() {
        return file;
    }

    /** The settings that work but are probably a mistake, as sentences for a person. */
    public List<String> warnings() {
        return warnings;
    }

    /**
     * A copy with other values, by full key. The embedded parts need it, because their addresses are known only once they
     * run. The values are not checked again.
     */
    public LoadedConfig with(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(others);
        return new LoadedConfig(ConfigBinding.bind(all), catalog, file, warnings, all, given);
    }

    /** The values by full key, the defaults included, for operators: secrets are hidden. */
    public Map<String, String> shown() {
        return ShownValues.of(new ConfigKeys(catalog.all()), values);
    }

    /** The values that decide where and how messages are delivered, by key without {@code mykit.delay.}: secrets are hidden. */
    public Map<String, String> deliveryRules() {
        return DeliveryRules.of(shown());
    }

    /**
     * The settings that the user gave other values than their defaults, with the default; empty = the key has none. The addresses
     * of embedded parts are no change.
     */
    public Map<String, String> changed() {
        return ShownValues.changed(new ConfigKeys(catalog.all()), given);
    }

    /** Leaves the values out, because some are secrets. */
    @Override
    public String toString() {
        return "LoadedConfig[file=" + file + ", warnings=" + warnings + "]";
    }
}
