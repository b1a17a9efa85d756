package io.mykit.delay.config;

import java.util.Map;
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
