package io.mykit.delay.controller;

import io.mykit.delay.config.ConsoleConfig;
import io.mykit.delay.controller.console.Asset;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The parts behind the pages for operators. Immutable.
 *
 * @param config what people see of messages
 * @param settings the configuration by key, without secrets
 * @param changed the settings whose values differ from their defaults, with the default; empty = the key has none
 * @param assets finds a file of the pages by its path, the page itself by the empty path; empty = the server has no pages
 */
public record ConsoleParts(
        ConsoleConfig config,
        Map<String, String> settings,
        Map<String, String> changed,
        Optional<Function<String, Optional<Asset>>> assets) {
    public ConsoleParts {
        settings = Map.copyOf(settings);
        changed = Map.copyOf(changed);
    }
}
