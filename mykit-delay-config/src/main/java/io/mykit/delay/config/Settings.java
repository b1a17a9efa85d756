package io.mykit.delay.config;

import io.mykit.delay.common.value.ValueParser;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All values that were given, whoever wrote last having won. Not thread-safe; lives only while the configuration is
 * loaded.
 */
final class Settings {
    /** System properties and environment variables that are not keys: they are there for the start itself. */
    private static final Set<String> RESERVED =
            Set.of("mykit.delay.class-archive", "mykit.delay.config", "mykit.delay.home", "mykit.delay.log.level");

    private static final String DELIVERY = ConfigKeys.ROOT + ".delivery.";

    /** Where plug-ins had their settings at first. */
    private static final String CHANNELS = ConfigKeys.ROOT + ".channels.";

    private static final String ROOT_VARIABLE = ConfigKey.environmentName(ConfigKeys.ROOT + ".");
    private static final String CHANNELS_VARIABLE = "^" + ConfigKey.environmentName(CHANNELS);

    private final ConfigKeys keys;
    private final Map<String, Setting> byName = new LinkedHashMap<>();

    Settings(ConfigKeys keys) {
        this.keys = keys;
    }

    Settings addAll(Map<String, String> values, String origin) {
        values.forEach((name, value) -> byName.put(known(name), new Setting(word(name, value), origin)));
        return this;
    }

    /** YAML takes an {@code off} without quotes for {@code false}. */
    private String word(String name, String value) {
        boolean off = value.equals("false")
                && keys.find(name).filter(key -> key.type() == FlowLog.class).isPresent();
        return off ? ValueParser.kebab(FlowLog.OFF) : value;
    }

    Settings addSystemProperties(Properties properties) {
        for (String name : properties.stringPropertyNames()) {
            if (name.startsWith(ConfigKeys.ROOT + ".") && !RESERVED.contains(name)) {
                byName.put(known(name), new Setting(properties.getProperty(name), "-D" + name));
            }
        }
        return this;
    }

    /** Variables that match no key are kept under their own name, for the check to find. */
    Settings addEnvironment(Map<String, String> environment) {
        Set<String> reserved = RESERVED.stream().map(ConfigKey::environmentName).collect(Collectors.toSet());
        environment.forEach((variable, value) -> {
            if (variable.startsWith(ConfigKey.environmentName(ConfigKeys.ROOT) + "_") && !reserved.contains(variable)) {
                String name = named(variable)
                        .or(() -> named(variable.replaceFirst(CHANNELS_VARIABLE, ROOT_VARIABLE)))
                        .orElse(variable);
                byName.put(name, new Setting(value, "the environment variable " + variable));
            }
        });
        return this;
    }

    Map<String, Setting> byName() {
        return byName;
    }

    /** The values alone. */
    Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byName.forEach((name, setting) -> values.put(name, setting.value()));
        return values;
    }

    /** The channels that were named for a topic or as the default. */
    Set<String> channelsInUse() {
        return byName.entrySet().stream()
                .filter(entry -> entry.getKey().equals(DELIVERY + "default-channel")
                        || entry.getKey().startsWith(DELIVERY + "topics."))
                .map(entry -> entry.getValue().value())
                .collect(Collectors.toSet());
    }

    /** The value of {@code name} as it was given, or its default; empty if there is neither. */
    String value(String name) {
        Setting setting = byName.get(name);
        return setting == null
                ? keys.find(name).flatMap(ConfigKey::defaultValue).orElse("")
                : setting.value();
    }

    boolean isSecret(String name) {
        return keys.isSecret(name);
    }

    /** Where the value of {@code name} came from. */
    String origin(String name) {
        Setting setting = byName.get(name);
        return setting == null ? Setting.BY_DEFAULT : setting.origin();
    }

    /**
     * The key that an environment variable stands for. For a map, an entry that is already there wins ({@code
     * ..._TOPICS_MY_TOPIC} stands for {@code topics.my-topic} if the file has that); otherwise the rest in lower case.
     */
    private Optional<String> named(String variable) {
        for (ConfigKey key : keys.all()) {
            if (!key.isMap() && key.environmentName().equals(variable)) {
                return Optional.of(key.name());
            }
        }
        for (String known : byName.keySet()) {
            if (ConfigKey.environmentName(known.replace("\"", "")).equals(variable)) {
                return Optional.of(known);
            }
        }
        return keys.all().stream()
                .filter(ConfigKey::isMap)
                .filter(key -> variable.startsWith(ConfigKey.environmentName(key.mapPrefix())))
                .map(key -> inMap(key, variable))
                .filter(name -> keys.find(name).isPresent())
                .findFirst();
    }

    private static String inMap(ConfigKey key, String variable) {
        String rest = variable.substring(key.mapPrefix().length()).toLowerCase(Locale.ROOT);
        boolean nested = key.name().indexOf(ConfigKey.ANY) != key.name().lastIndexOf(ConfigKey.ANY);
        return key.mapPrefix() + (nested ? rest.replaceFirst("_", ".").replace('_', '-') : rest);
    }

    /** The key that a name stands for; the section of a channel may be written below {@code channels} as well. */
    private String known(String name) {
        String section = name.startsWith(CHANNELS) ? ConfigKeys.ROOT + "." + name.substring(CHANNELS.length()) : name;
        return quoted(keys.find(section).isPresent() ? section : name);
    }

    /** A topic may have dots, which the mapping takes for a level of its own unless they are quoted. */
    private String quoted(String name) {
        for (ConfigKey key : keys.all()) {
            boolean oneLevel =
                    key.isMap() && key.mapPrefix().length() + 1 == key.name().length();
            if (oneLevel && name.startsWith(key.mapPrefix())) {
                String rest = name.substring(key.mapPrefix().length());
                return rest.contains(".") && !rest.startsWith("\"") ? key.mapPrefix() + '"' + rest + '"' : name;
            }
        }
        return name;
    }
}
