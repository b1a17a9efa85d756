package io.mykit.delay.config;

import io.mykit.delay.common.value.ValueParser;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All given values. If a key has several values, the last one counts. It exists only while the configuration is loaded. Not
 * thread-safe.
 */
final class Settings {
    /** System properties and environment variables that are no keys: the start script uses them. */
    private static final Set<String> RESERVED =
            Set.of("mykit.delay.class-archive", "mykit.delay.config", "mykit.delay.home");

    private static final String LOGGED_REQUESTS = ConfigKeys.ROOT + ".log.requests";
    private static final char REPLACEMENT = '\uFFFD';
    private static final String DELIVERY = ConfigKeys.ROOT + ".delivery.";

    private final ConfigKeys keys;
    private final SettingNames names;
    private final FormerNames former;
    private final Map<String, Setting> byName = new LinkedHashMap<>();

    Settings(ConfigKeys keys) {
        this.keys = keys;
        this.names = new SettingNames(keys.sectionMaps());
        this.former = new FormerNames(keys);
    }

    Settings addFile(ConfigFile file, String origin) {
        Map<String, String> source = new HashMap<>();
        file.values().forEach((path, value) -> {
            String written = path.replace("\"", "");
            put(
                    names.inFile(former.current(path)),
                    new Setting(written, word(written, value), origin, Optional.empty()),
                    source);
        });
        for (String path : file.withoutValue()) {
            KeyWithoutValue key = KeyWithoutValue.of(path);
            if (!key.isAllowed(keys, names.inFile(former.current(path)).key())) {
                byName.putIfAbsent(key.name(), key.refused(keys, origin));
            }
        }
        return this;
    }

    Settings addCommandLine(Map<String, String> values) {
        Map<String, String> source = new HashMap<>();
        values.forEach((name, value) -> put(
                names.inLine(former.current(name)),
                new Setting(name, word(name, value), "the command line", unreadable(name, value)),
                source));
        return this;
    }

    /** YAML reads an {@code off} without quotes as {@code false}. */
    private String word(String name, String value) {
        boolean off = value.equals("false")
                && keys.find(name)
                        .filter(key -> key.type() == FlowLog.class || name.equals(LOGGED_REQUESTS))
                        .isPresent();
        return off ? ValueParser.kebab(FlowLog.OFF) : value;
    }

    Settings addSystemProperties(Properties properties) {
        Map<String, String> source = new HashMap<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(ConfigKeys.ROOT + ".") && !RESERVED.contains(name)) {
                String value = properties.getProperty(name);
                put(
                        names.inLine(former.current(name)),
                        new Setting(name, value, "-D" + name, unreadable(name, value)),
                        source);
            }
        }
        return this;
    }

    /**
     * @param source by key, the names that the same source used; a source may use only one of a key's names
     */
    private void put(SettingNames.Named named, Setting setting, Map<String, String> source) {
        String other = source.putIfAbsent(named.key(), setting.written());
        Optional<String> twice = Optional.ofNullable(other).map(name -> "is given twice, also as " + name);
        byName.put(
                named.key(),
                setting.refusedFor(setting.objection().or(named::objection).or(() -> twice)));
    }

    /** In a locale without UTF-8, Java replaces the characters of arguments and variables. */
    private static Optional<String> unreadable(String name, String value) {
        return Optional.of("has characters that Java cannot read in the locale of this process;"
                        + " set LANG=C.UTF-8 and no LC_ALL, or write it into the file")
                .filter(objection -> (name + value).indexOf(REPLACEMENT) >= 0);
    }

    /** Variables that match no key keep their own name, so that the check finds them. */
    Settings addEnvironment(Map<String, String> environment) {
        Set<String> reserved = RESERVED.stream().map(ConfigKey::environmentName).collect(Collectors.toSet());
        Map<String, String> source = new HashMap<>();
        environment.forEach((variable, value) -> {
            if (variable.startsWith(ConfigKey.environmentName(ConfigKeys.ROOT) + "_") && !reserved.contains(variable)) {
                Setting setting = new Setting(
                        variable, value, "the environment variable " + variable, unreadable(variable, value));
                put(named(variable), setting, source);
            }
        });
        return this;
    }

    Map<String, Setting> byName() {
        return byName;
    }

    /** The values by key. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byName.forEach((name, setting) -> values.put(name, setting.value()));
        return values;
    }

    /** The name that the user wrote for the value of {@code name}. */
    String written(String name) {
        Setting setting = byName.get(name);
        return setting == null ? name : setting.written();
    }

    /** The channels that a topic or the default names, by the key that names it. */
    Map<String, String> channelsByName() {
        return byName.entrySet().stream()
                .filter(entry -> namesChannel(entry.getKey())
                        && entry.getValue().objection().isEmpty())
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().value()));
    }

    private static boolean namesChannel(String name) {
        return name.equals(DELIVERY + "default-channel")
                || (name.startsWith(DELIVERY + "topics.") && name.endsWith(".channel"));
    }

    /** The value of {@code name} as the user wrote it, or its default; empty if there is neither. */
    String value(String name) {
        Setting setting = byName.get(name);
        return setting == null
                ? keys.find(name).flatMap(ConfigKey::defaultValue).orElse("")
                : setting.value();
    }

    boolean isSecret(String name) {
        return keys.isSecret(name);
    }

    /** The origin of the value of {@code name}. */
    String origin(String name) {
        Setting setting = byName.get(name);
        return setting == null ? Setting.BY_DEFAULT : setting.origin();
    }

    /** The key that an environment variable stands for; the variable itself if there is none. */
    private SettingNames.Named named(String variable) {
        Optional<String> renamed = former.ofVariable(variable);
        if (renamed.isPresent()) {
            return SettingNames.Named.of(renamed.get());
        }
        for (ConfigKey key : keys.all()) {
            if (!key.isMap() && key.environmentName().equals(variable)) {
                return SettingNames.Named.of(key.name());
            }
        }
        for (ConfigKey family : keys.families()) {
            String below = family.mapPrefix();
            for (String prefix : List.of(below, FormerNames.CHANNELS + below.substring(ConfigKeys.ROOT.length() + 1))) {
                String start = ConfigKey.environmentName(prefix);
                if (variable.startsWith(start) && variable.length() > start.length()) {
                    // The names of client libraries are in lower case, with dots.
                    String member = variable.substring(start.length())
                            .toLowerCase(Locale.ROOT)
                            .replace('_', '.');
                    return SettingNames.Named.of(below + member);
                }
            }
        }
        return names.inEnvironment(variable, byName.keySet()).orElseGet(() -> SettingNames.Named.of(variable));
    }
}
