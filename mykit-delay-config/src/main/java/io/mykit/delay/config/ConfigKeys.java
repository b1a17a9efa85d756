package io.mykit.delay.config;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.DeliveryChannelFactory;
import io.mykit.delay.channel.SettingsSection;
import io.mykit.delay.common.text.EditDistance;
import io.mykit.delay.common.value.Secret;
import io.smallrye.config.WithDefault;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All keys: those of {@link DelayConfig}, read from the mappings themselves, and those that channels and other guests declare.
 * Immutable.
 */
final class ConfigKeys {
    static final String ROOT = "mykit.delay";

    /** A dot that an even number of quotes follows. */
    private static final Pattern DOT = Pattern.compile("\\.(?=([^\"]*\"[^\"]*\")*[^\"]*$)");

    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    private final Map<String, ConfigKey> byName = new TreeMap<>();
    private final List<SectionMap> sectionMaps = new ArrayList<>();
    private final Set<String> ofChannels = new TreeSet<>();

    ConfigKeys(Collection<? extends SettingsSection> sections) {
        collect(ROOT, DelayConfig.class);
        sections.forEach(this::collect);
    }

    List<ConfigKey> all() {
        return List.copyOf(byName.values());
    }

    /** The maps whose values are sections with their own keys. */
    List<SectionMap> sectionMaps() {
        return List.copyOf(sectionMaps);
    }

    /** The key that {@code name} is a value of; {@code name} may carry quotes around parts of a map key. */
    Optional<ConfigKey> find(String name) {
        ConfigKey exact = byName.get(name);
        if (exact != null) {
            return Optional.of(exact).filter(key -> !key.isMap());
        }
        return byName.values().stream()
                .filter(key -> key.isMap() && name.startsWith(key.mapPrefix()))
                .filter(key -> isEntry(parts(name), parts(key.name())))
                .findFirst();
    }

    /** The names of the keys that the channels declare. */
    Set<String> ofChannels() {
        return Set.copyOf(ofChannels);
    }

    /** The keys that stand for all names below them. */
    List<ConfigKey> families() {
        return byName.values().stream().filter(ConfigKey::isFamily).toList();
    }

    /** Whether {@code name} is a section that has keys below it. */
    boolean isSection(String name) {
        return byName.keySet().stream().anyMatch(key -> key.startsWith(name + "."));
    }

    /** The known key that is most similar to {@code name}, an unknown key or environment variable. */
    Optional<String> nearest(String name) {
        String written = ConfigKey.environmentName(name);
        if (byName.containsKey(ROOT + "." + name)) {
            return Optional.of(ROOT + "." + name);
        }
        return byName.values().stream()
                .min(Comparator.comparingInt(key -> EditDistance.between(key.environmentName(), written)))
                .filter(key -> EditDistance.between(key.environmentName(), written) <= Math.max(2, name.length() / 6))
                .map(key -> name.equals(written) ? key.environmentName() : key.name())
                .map(key -> key.replace(ConfigKey.REST, "<name>"));
    }

    /** Whether logs and errors must hide the value of {@code name}. */
    boolean isSecret(String name) {
        return ConfigKey.isSecret(name)
                || find(name).map(key -> key.type() == Secret.class).orElseGet(() -> mayBeSecret(name));
    }

    /** Whether an unknown name may be a misspelt secret of a map of sections. */
    private boolean mayBeSecret(String name) {
        String written = ConfigKey.environmentName(name);
        return byName.values().stream()
                .filter(key -> key.isMap() && key.type() == Secret.class)
                .anyMatch(key -> written.startsWith(ConfigKey.environmentName(key.mapPrefix())));
    }

    private void collect(SettingsSection section) {
        for (ChannelKey<?> key : section.keys()) {
            String name = ROOT + "." + section.name() + "." + key.name() + (key.family() ? "." + ConfigKey.REST : "");
            add(new ConfigKey(name, key.type(), key.defaultValue().isEmpty(), key.defaultValue()));
            if (section instanceof DeliveryChannelFactory) {
                ofChannels.add(name);
            }
        }
        String topics = ROOT + "." + section.name() + ".topics.";
        List<ChannelKey<?>> byTopic =
                section.keys().stream().filter(ChannelKey::byTopic).toList();
        byTopic.forEach(key ->
                add(new ConfigKey(topics + ConfigKey.ANY + "." + key.name(), key.type(), true, Optional.empty())));
        if (!byTopic.isEmpty()) {
            Set<String> names = byTopic.stream().map(ChannelKey::name).collect(Collectors.toSet());
            sectionMaps.add(new SectionMap(topics, names, Optional.empty()));
        }
    }

    private void collect(String prefix, Class<?> mapping) {
        for (Method method : mapping.getMethods()) {
            if (!Modifier.isStatic(method.getModifiers())) {
                collect(prefix + "." + kebab(method.getName()), method);
            }
        }
    }

    private void collect(String name, Method method) {
        Type type = method.getGenericReturnType();
        if (isSection(type)) {
            collect(name, (Class<?>) type);
        } else if (type instanceof ParameterizedType generic && generic.getRawType() == Map.class) {
            collectMap(name, generic);
        } else {
            boolean optional = type instanceof ParameterizedType && !method.isAnnotationPresent(PlainValue.class);
            WithDefault given = method.getAnnotation(WithDefault.class);
            Type inner = type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[0] : type;
            add(new ConfigKey(name, inner, optional, Optional.ofNullable(given).map(WithDefault::value)));
        }
    }

    private void collectMap(String name, ParameterizedType map) {
        String below = name + "." + ConfigKey.ANY;
        Type value = map.getActualTypeArguments()[1];
        if (isSection(value)) {
            collectSections(below, (Class<?>) value);
        } else {
            add(new ConfigKey(below, value, false, Optional.empty()));
        }
    }

    private void collectSections(String below, Class<?> section) {
        collect(below, section);
        Map<String, Method> keys = new TreeMap<>();
        for (Method method : section.getMethods()) {
            keys.put(kebab(method.getName()), method);
        }
        Optional<String> plain = keys.keySet().stream()
                .filter(key -> keys.get(key).isAnnotationPresent(PlainValue.class))
                .findFirst();
        sectionMaps.add(new SectionMap(below.substring(0, below.length() - 1), keys.keySet(), plain));
        plain.map(key -> byName.get(below + "." + key).type())
                .ifPresent(type -> add(new ConfigKey(below, type, false, Optional.empty())));
    }

    private static boolean isSection(Type type) {
        return type instanceof Class<?> section
                && section.getPackage() == DelayConfig.class.getPackage()
                && section.isInterface();
    }

    private void add(ConfigKey key) {
        byName.put(key.name(), key);
    }

    private static boolean isEntry(List<String> name, List<String> key) {
        int whole = key.size() - 1;
        if (key.get(whole).equals(ConfigKey.REST)) {
            return name.size() > whole
                    && name.subList(0, whole).equals(key.subList(0, whole))
                    && name.stream().noneMatch(String::isEmpty);
        }
        return name.size() == key.size()
                && IntStream.range(0, key.size())
                        .allMatch(i -> key.get(i).equals(ConfigKey.ANY)
                                ? !name.get(i).replace("\"", "").isEmpty()
                                : key.get(i).equals(name.get(i)));
    }

    /** The parts between dots, except dots inside double quotes. */
    private static List<String> parts(String name) {
        return List.of(DOT.split(name, -1));
    }

    static String kebab(String camel) {
        List<String> words = new ArrayList<>(List.of(HUMP.split(camel)));
        return String.join("-", words).toLowerCase(Locale.ROOT);
    }
}
