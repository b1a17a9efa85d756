package io.mykit.delay.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The former names of keys, which still count: a key that was renamed, and the section of a channel below {@code channels}.
 * Immutable.
 */
final class FormerNames {
    /** The former place of the sections of channels. */
    static final String CHANNELS = ConfigKeys.ROOT + ".channels.";

    private static final Map<String, String> RENAMED =
            Map.of(ConfigKeys.ROOT + ".queue.bucket-size", ConfigKeys.ROOT + ".queue.buckets");

    /** Keys by their former name. */
    private final Map<String, String> keys = new HashMap<>(RENAMED);

    /** The sections that stand for all names below them, without the root, with a dot. */
    private final List<String> families;

    FormerNames(ConfigKeys known) {
        families = known.families().stream()
                .map(key -> key.mapPrefix().substring(ConfigKeys.ROOT.length() + 1))
                .toList();
        known.ofChannels().forEach(key -> keys.put(CHANNELS + key.substring(ConfigKeys.ROOT.length() + 1), key));
    }

    /** The key that the name stands for; the name itself if it is no former name. */
    String current(String name) {
        return keys.getOrDefault(
                name,
                families.stream()
                        .filter(family -> name.startsWith(CHANNELS + family))
                        .findFirst()
                        .map(family -> ConfigKeys.ROOT + "." + name.substring(CHANNELS.length()))
                        .orElse(name));
    }

    /** The key that the environment variable of a former name stands for. */
    Optional<String> ofVariable(String variable) {
        return keys.entrySet().stream()
                .filter(former -> ConfigKey.environmentName(former.getKey()).equals(variable))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
