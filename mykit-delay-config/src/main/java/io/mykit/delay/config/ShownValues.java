package io.mykit.delay.config;

import io.mykit.delay.common.value.DurationParser;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Values of a configuration that an operator may see. Stateless. */
final class ShownValues {
    private static final String SECRET = "set";
    /** The user and password in a URL. */
    private static final Pattern ACCOUNT = Pattern.compile("(?<=://)[^/\\s,()]*@");
    /** A parameter of a URL whose name tells of a secret. */
    private static final Pattern PARAMETER =
            Pattern.compile("(?i)(?<=[?&;])([^=&;?]*(?:password|pwd|secret|token|key|credential)[^=&;?]*=)[^&;)\\s]*");
    /** The path and the query of a callback: the URLs of chat systems carry their secret there. */
    private static final Pattern CALLBACK_PATH = Pattern.compile("(?i)(?<=^https?://)([^/?]+)[/?].+");

    private ShownValues() {}

    /**
     * All keys that have a value.
     *
     * @param given the given values by full key
     */
    static Map<String, String> of(ConfigKeys keys, Map<String, String> given) {
        Map<String, String> shown = new TreeMap<>();
        for (ConfigKey key : keys.all()) {
            if (!key.isMap()) {
                key.defaultValue().ifPresent(value -> shown.put(key.name(), value));
            }
        }
        shown.putAll(given);
        shown.values().removeIf(String::isEmpty);
        shown.replaceAll((name, value) -> keys.isSecret(name) ? SECRET : withoutSecrets(name, value));
        return shown;
    }

    /**
     * The default of each key that has another value; an empty text for a key without a default.
     *
     * @param given the given values by full key
     */
    static Map<String, String> changed(ConfigKeys keys, Map<String, String> given) {
        Map<String, String> changed = new TreeMap<>();
        given.forEach((name, value) -> {
            Optional<ConfigKey> key = keys.find(name);
            String usual = key.flatMap(ConfigKey::defaultValue).orElse("");
            boolean duration =
                    key.filter(found -> found.type() == Duration.class).isPresent();
            if (!value.equals(usual) && !(duration && isSame(value, usual))) {
                changed.put(name, withoutSecrets(name, usual));
            }
        });
        return changed;
    }

    /** Whether two texts are the same duration, such as 60s and 1m. Both may be empty. */
    private static boolean isSame(String value, String usual) {
        return !value.isEmpty()
                && !usual.isEmpty()
                && DurationParser.parse(value).equals(DurationParser.parse(usual));
    }

    private static String withoutSecrets(String name, String value) {
        String anonymous = ACCOUNT.matcher(value).replaceAll("***@");
        return name.endsWith(".url")
                ? CALLBACK_PATH.matcher(masked(anonymous)).replaceAll("$1/***")
                : masked(anonymous);
    }

    private static String masked(String value) {
        return PARAMETER.matcher(value).replaceAll("$1***");
    }
}
