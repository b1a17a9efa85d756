package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.DeliveryChannelFactory;
import java.util.Collection;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The channels on the class path, by name. The loader checks their names here. Immutable. */
final class ChannelCatalog {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");

    private final Map<String, DeliveryChannelFactory> byName = new TreeMap<>();

    /**
     * @throws ConfigException if the name of a channel is not usable, or belongs to another channel too
     */
    ChannelCatalog(Iterable<DeliveryChannelFactory> factories) {
        Set<String> taken = sections();
        for (DeliveryChannelFactory factory : factories) {
            String name = factory.name();
            String type = factory.getClass().getName();
            // A channel without keys has no section, so it may be called as a section of the server.
            boolean isTaken = taken.contains(name) && !factory.keys().isEmpty();
            if (!NAME.matcher(name).matches() || isTaken) {
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
            return new ChannelCatalog(ServiceLoader.load(DeliveryChannelFactory.class));
        } catch (ServiceConfigurationError | LinkageError e) {
            throw new ConfigException("a delivery channel on the class path cannot be loaded: " + e.getMessage(), e);
        }
    }

    Collection<DeliveryChannelFactory> all() {
        return byName.values();
    }

    boolean has(String name) {
        return byName.containsKey(name);
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
        String prefix = ConfigKeys.ROOT + "." + factory.name() + ".";
        Map<String, String> own = values.entrySet().stream()
                .filter(value -> !factory.keys().isEmpty() && value.getKey().startsWith(prefix))
                .collect(Collectors.toMap(value -> value.getKey().substring(prefix.length()), Map.Entry::getValue));
        boolean inUse = ChannelNames.inUse(delivery).contains(factory.name());
        return new InstalledChannel(
                factory, ChannelSettings.of(factory.name(), factory.keys(), own, delivery.sendTimeout(), inUse));
    }

    /** The names below the root that the server uses itself. */
    private static Set<String> sections() {
        Function<ConfigKey, String> first = key -> key.name().split("\\.", -1)[2];
        Set<String> sections = new TreeSet<>(Set.of("channels", "class-archive", "config", "home", "log"));
        new ConfigKeys(Set.of()).all().forEach(key -> sections.add(first.apply(key)));
        return sections;
    }
}
