package io.mykit.delay.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Collects what is wrong, so that one start shows all of it. */
final class Problems {
    /** In a URL: {@code user:password@}, and parameters such as {@code password=}. */
    private static final Pattern CREDENTIALS = Pattern.compile("(?<=//)[^/@]*(?=@)|(?<=(?i:password)=)[^&;]*");

    private final Settings settings;
    private final List<String> lines = new ArrayList<>();

    Problems(Settings settings) {
        this.settings = settings;
    }

    /**
     * Adds a problem with one value.
     *
     * @param value as text; not shown if the key is a secret
     * @param allowed what would be right
     */
    void add(String name, Object value, String allowed) {
        add(name, value, allowed, settings.isSecret(name));
    }

    /** The same with the value that was given. */
    void add(String name, String allowed) {
        add(name, settings.value(name), allowed);
    }

    /** The same for a key that is none, of which only what was {@code meant} can tell whether it is a secret. */
    void addUnknown(String name, String value, Optional<String> meant) {
        String hint = meant.map(key -> "did you mean " + key + "?").orElse("--help lists them");
        boolean secret = settings.isSecret(name) || settings.isSecret(meant.orElse(""));
        add(name, value, "there is no such key; " + hint, secret);
    }

    /** The same for a key of a section that is not known, so that none of its values is shown. */
    void addUnknown(String name, String why) {
        add(name, "", "there is no such key; " + why, true);
    }

    private void add(String name, Object value, String allowed, boolean secret) {
        String shown = secret ? "***" : CREDENTIALS.matcher(value.toString()).replaceAll("***");
        lines.add(settings.written(name) + " = " + shown + " (from " + settings.origin(name) + "): " + allowed);
    }

    void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new ConfigException(lines);
        }
    }
}
