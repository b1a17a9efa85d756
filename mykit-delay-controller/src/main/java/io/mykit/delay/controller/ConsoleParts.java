package io.mykit.delay.controller;

import io.mykit.delay.controller.console.Asset;
import io.mykit.delay.queue.overview.Overviews;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The parts behind the pages for operators. Immutable.
 *
 * @param overviews the state of the whole queue; may block
 * @param settings the configuration by key, without secrets
 * @param changed the settings whose values differ from their defaults, with the default; empty = the key has none
 * @param accepted counts a message that was accepted by its topic; must not block
 * @param assets finds a file of the pages by its path, the page itself by the empty path; empty = the server has no pages
 */
public record ConsoleParts(
        Overviews overviews,
        Map<String, String> settings,
        Map<String, String> changed,
        Consumer<String> accepted,
        Optional<Function<String, Optional<Asset>>> assets) {
    public ConsoleParts {
        settings = Map.copyOf(settings);
        changed = Map.copyOf(changed);
    }
}
