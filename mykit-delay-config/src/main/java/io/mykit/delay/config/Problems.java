package io.mykit.delay.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Collects the problems of a configuration, so that one start shows all of them. For one thread. */
final class Problems {
    /** Finds credentials in a URL: {@code user:password@}, and parameters such as {@code password=}. */
    private static final Pattern CREDENTIALS = Pattern.compile("(?<=//)[^/@]*(?=@)|(?<=(?i:password)=)[^&;]*");

    private final Settings settings;
    private final List<String> lines = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Set<String> aside = new HashSet<>();

    Problems(Settings settings) {
        this.settings = settings;
    }

    /**
     * Adds a problem with one value.
     *
     * @param value as text; hidden if the key is a secret
     * @param allowed the allowed form
     */
    void add(String name, Object value, String allowed) {
        add(name, value, allowed, settings.isSecret(name));
    }

    /** Adds a problem with the given value of a key. */
    void add(String name, String allowed) {
        add(name, settings.value(name), allowed);
    }

    /** Adds an unknown key. The key that was probably {@code meant} decides whether the value is a secret. */
    void addUnknown(String name, String value, Optional<String> meant) {
        String hint = meant.map(key -> "did you mean " + key + "?").orElse("--help lists them");
        boolean secret = settings.isSecret(name) || settings.isSecret(meant.orElse(""));
        add(name, value, "there is no such key; " + hint, secret);
    }

    /** Adds a problem with a value that is not shown, because it may be a secret. */
    void addHidden(String name, String allowed) {
        add(name, "", allowed, true);
    }

    /** Adds a key of an unknown section. All values of such a section are hidden. */
    void addUnknown(String name, String why) {
        addHidden(name, "there is no such key; " + why);
    }

    /**
     * The keys with a problem so far. A later problem of such a key does not count, because it is one of the default that stands
     * in for its value.
     */
    Set<String> setAside() {
        aside.addAll(names);
        return aside;
    }

    /** Whether the default of this key stands in for its value. */
    boolean isAside(String name) {
        return aside.contains(name);
    }

    private void add(String name, Object value, String allowed, boolean secret) {
        if (aside.contains(name)) {
            return;
        }
        names.add(name);
        String shown = secret ? "***" : CREDENTIALS.matcher(value.toString()).replaceAll("***");
        lines.add(settings.written(name) + " = " + shown + " (from " + settings.origin(name) + "): " + allowed);
    }

    void throwIfAny() {
        if (!lines.isEmpty()) {
            throw new ConfigException(lines);
        }
    }
}
