package io.mykit.delay.config;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A configuration that can be used.
 *
 * @param file the file that was read
 * @param warnings for a person: what works but is probably not meant
 * @param values the values it was made of, secrets in clear
 */
public record LoadedConfig(DelayConfig config, Optional<Path> file, List<String> warnings, Map<String, String> values) {
    public LoadedConfig {
        warnings = List.copyOf(warnings);
        values = Map.copyOf(values);
    }

    /** The same with other values, by full key; for those that are known only once embedded parts run. Not checked again. */
    public DelayConfig with(Map<String, String> others) {
        Map<String, String> all = new HashMap<>(values);
        all.putAll(others);
        return ConfigBinding.bind(all);
    }

    /** Without the values: they hold secrets. */
    @Override
    public String toString() {
        return "LoadedConfig[file=" + file + ", warnings=" + warnings + "]";
    }
}
