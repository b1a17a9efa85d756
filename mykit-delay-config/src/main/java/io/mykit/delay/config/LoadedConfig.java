package io.mykit.delay.config;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A configuration that can be used: the server's own sections, and those of the channels. Immutable. */
public final class LoadedConfig {
    private final DelayConfig config;
    private final ChannelCatalog catalog;
    private final Map<String, InstalledChannel> channels;
    private final Optional<Path> file;
    private final List<String> warnings;
    /** By full key; secrets in clear. */
    private final Map<String, String> values;

    LoadedConfig(
            DelayConfig config,
            ChannelCatalog catalog,
            Optional<Path> file,
            List<String> warnings,
            Map<String, String> values) {
        this.config = config;
        this.catalog = catalog;
        this.channels = Collections.unmodifiableMap(catalog.with(values, config.delivery()));
        this.file = file;
        this.warnings = List.copyOf(warnings);
        this.values = Map.copyOf(values);
    }

    /** All but the sections of the channels. */
    public DelayConfig config() {
        return config;
    }

    /** The channels on the class path, in use or not, with their sections; by name. */
    public Map<String, InstalledChannel> channels() {
        return channels;
    }

    /** The file that was read. */
    public Optional<Path> file() {
        return file;
    }

    /** For a person: what works but is probably not meant. */
    public List<String> warnings() {
        return warnings;
    }

    /** The same with other values, by full key; for those that are known only once embedded parts run. Not checked again. */
    public LoadedConfig with(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(others);
        return new LoadedConfig(ConfigBinding.bind(all), catalog, file, warnings, all);
    }

    /** Without the values: they hold secrets. */
    @Override
    public String toString() {
        return "LoadedConfig[file=" + file + ", warnings=" + warnings + "]";
    }
}
