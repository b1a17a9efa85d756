package io.mykit.delay.config;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A key of the file that has no value. YAML makes one of {@code {orders:pull}}, too, and so with a full-width colon: only a colon
 * with a blank after it divides a key from its value. Immutable.
 *
 * @param name without quotes
 * @param colon the index of the colon that divides nothing; negative = none
 */
record KeyWithoutValue(String name, int colon) {
    private static final char FULL_WIDTH = '\uFF1A';

    /** The section of a channel may be empty, also if the channel is not installed. */
    private static final Pattern CHANNEL = Pattern.compile("(channels\\.)?[a-z][a-z0-9-]*");

    /** @param path its YAML keys from the outermost inwards, with dots between them; a key that has dots is in quotes */
    static KeyWithoutValue of(String path) {
        int quote = path.endsWith("\"") ? path.lastIndexOf('"', path.length() - 2) : -1;
        String last =
                path.substring(quote < 0 ? path.lastIndexOf('.') + 1 : quote).replace("\"", "");
        String name = path.replace("\"", "");
        int wide = last.indexOf(FULL_WIDTH);
        int colon = wide < 0 ? last.indexOf(':') : wide;
        return new KeyWithoutValue(name, colon < 0 ? colon : name.length() - last.length() + colon);
    }

    /**
     * Whether the key may stand there without a value: the heading of a section, and a setting that has its default then. An entry
     * of a map, such as a topic, would be lost.
     *
     * @param key the key that the name stands for
     */
    boolean isAllowed(ConfigKeys keys, String key) {
        String below = name.startsWith(ConfigKeys.ROOT + ".") ? name.substring(ConfigKeys.ROOT.length() + 1) : "";
        return keys.isSection(name)
                || CHANNEL.matcher(below).matches()
                || keys.find(key)
                        .filter(found -> found.optional() || !found.isMap())
                        .isPresent();
    }

    /** The setting that stops the start. What stands behind the colon is hidden if it may be a secret. */
    Setting refused(ConfigKeys keys, String origin) {
        String shown = isSecret(keys) ? name.substring(0, colon + 1) + "***" : name;
        return new Setting(shown, "", origin, Optional.of("has no value; " + advice()));
    }

    private boolean isSecret(ConfigKeys keys) {
        return colon >= 0 && (keys.isSecret(name.substring(0, colon)) || name.contains("://"));
    }

    private String advice() {
        if (colon < 0) {
            return "give it one, or remove it";
        }
        return name.charAt(colon) == FULL_WIDTH
                ? "should \"" + FULL_WIDTH + "\" be \":\"? A line is \"key: value\", with a blank after the colon"
                : "a line is \"key: value\", with a blank after the colon";
    }
}
