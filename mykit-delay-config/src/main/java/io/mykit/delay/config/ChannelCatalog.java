package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.SettingsSection;
import io.mykit.delay.common.text.EditDistance;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The channels on the class path, by name, and the sections of other guests. The loader checks the names of channels here. Immutable. */
final class ChannelCatalog {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    /** Letters of a name that may be wrong, missing or too many. */
    private static final int MOST_WRONG = 2;

    private final Map<String, DeliveryChannelFactory> byName = new TreeMap<>();
    private final List<SettingsSection> others;

    ChannelCatalog(Iterable<DeliveryChannelFactory> factories) {
        this(factories, List.of());
    }

    /**
     * @param others the sections that belong to no channel
     * @throws ConfigException if the name of a channel is not usable, or belongs to another channel too
     */
    ChannelCatalog(Iterable<DeliveryChannelFactory> factories, List<SettingsSection> others) {
        this.others = List.copyOf(others);
        Set<String> taken = taken(others);
        for (DeliveryChannelFactory factory : factories) {
            String name = factory.name();
            String type = factory.getClass().getName();
            // A channel without settings needs no section.
            boolean clashes = taken.contains(name) && !factory.keys().isEmpty();
            if (!NAME.matcher(name).matches() || clashes) {
                throw new ConfigException("the delivery channel " + type + " cannot be called '" + name
                        + "': its settings are below " + ConfigKeys.ROOT + "." + name
                        + "; remove its jar, or rename the channel");
            }
            DeliveryChannelFactory other = byName.putIfAbsent(name, factory);
            if (other != null) {
                throw new ConfigException("two delivery channels are called " + name + ": "
                        + other.getClass().getName() + " and " + type + "; remove the jar of one");
            }
        }
    }

    /**
     * @throws ConfigException if a channel on the class path cannot be loaded; the message names the class
     */
    static ChannelCatalog found() {
        try {
            return new ChannelCatalog(
                    ServiceLoader.load(DeliveryChannelFactory.class),
                    ServiceLoader.load(SettingsSection.class).stream()
                            .map(ServiceLoader.Provider::get)
                            .toList());
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new ConfigException("a delivery channel on the class path cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** The sections of the channels, and then the others. */
    Collection<SettingsSection> all() {
        return Stream.concat(byName.values().stream(), others.stream()).toList();
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    /** Adds a problem if the value of a key is no channel. */
    void check(String key, String channel, Problems problems) {
        if (channel.isEmpty() || channel.equals(ChannelNames.PULL) || has(channel)) {
            return;
        }
        Set<String> known = new TreeSet<>(byName.keySet());
        known.add(ChannelNames.PULL);
        String hint = known.stream()
                .filter(name -> EditDistance.between(name, channel) <= MOST_WRONG)
                .findFirst()
                .map(name -> "did you mean " + name + "?")
                .orElse("put its jar into plugins/, or use one of " + String.join(", ", known));
        problems.add(key, channel, "this delivery channel is not installed; " + hint);
    }

    /** Each channel with its section of a checked configuration, by name. */
    Map<String, InstalledChannel> with(Map<String, String> values, DeliveryConfig delivery) {
        return byName.values().stream()
                .collect(Collectors.toMap(
                        DeliveryChannelFactory::name,
                        factory -> installed(factory, values, delivery),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static InstalledChannel installed(
            DeliveryChannelFactory factory, Map<String, String> values, DeliveryConfig delivery) {
        boolean inUse = ChannelNames.inUse(delivery).contains(factory.name());
        return new InstalledChannel(factory, settings(factory, values, delivery, inUse));
    }

    /** The settings of the sections that belong to no channel, by section. */
    Map<SettingsSection, ChannelSettings> others(Map<String, String> values, DeliveryConfig delivery) {
        return others.stream()
                .collect(Collectors.toMap(section -> section, section -> settings(section, values, delivery, false)));
    }

    private static ChannelSettings settings(
            SettingsSection section, Map<String, String> values, DeliveryConfig delivery, boolean inUse) {
        String prefix = ConfigKeys.ROOT + "." + section.name() + ".";
        boolean hasKeys = !section.keys().isEmpty();
        Map<String, String> own = values.entrySet().stream()
                .filter(value -> hasKeys && value.getKey().startsWith(prefix))
                .collect(Collectors.toMap(value -> value.getKey().substring(prefix.length()), Map.Entry::getValue));
        return ChannelSettings.of(section.name(), section.keys(), own, delivery.sendTimeout(), inUse);
    }

    /** The names below the root that the server uses itself. */
    private static Set<String> taken(List<SettingsSection> others) {
        Function<ConfigKey, String> first = key -> key.name().split("\\.", -1)[2];
        Set<String> sections = new TreeSet<>(Set.of("channels", "class-archive", "config", "home", "log"));
        new ConfigKeys(others).all().forEach(key -> sections.add(first.apply(key)));
        return sections;
    }
}
