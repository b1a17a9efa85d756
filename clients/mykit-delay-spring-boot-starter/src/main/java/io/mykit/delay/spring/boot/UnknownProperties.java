package io.mykit.delay.spring.boot;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Finds properties below {@code mykit.delay.client} that nothing reads, and those whose {@code client} was forgotten. Spring
 * Boot ignores them without a word.
 */
final class UnknownProperties {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("mykit.delay.client");
    private static final ConfigurationPropertyName ABOVE = PREFIX.getParent();
    /** A name with more differences, or with as many as half of its letters, is another word. */
    private static final int MAX_DISTANCE = 3;

    /** The names of the record, by their letters alone. */
    private final Map<String, ConfigurationPropertyName> known = new TreeMap<>();

    private UnknownProperties() {
        learn(PREFIX, DelayClientProperties.class);
    }

    /** A warning for each, without its value. */
    static Collection<String> warnings(Environment environment) {
        UnknownProperties properties = new UnknownProperties();
        Map<ConfigurationPropertyName, String> warnings = new LinkedHashMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                // MYKIT_DELAY_CLIENT_RETRY_FOR is one of the two forms of retry-for: a variable has no hyphens.
                boolean isLoose = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                names.stream()
                        .filter(name -> PREFIX.isAncestorOf(name) && !properties.isKnown(name, isLoose))
                        .forEach(name -> warnings.putIfAbsent(name, warning(name, source, properties.hint(name))));
                names.stream().filter(ABOVE::isAncestorOf).forEach(name -> properties
                        .withClient(name)
                        .ifPresent(meant -> warnings.putIfAbsent(name, warning(name, source, didYouMean(meant)))));
            }
        }
        return warnings.values();
    }

    private void learn(ConfigurationPropertyName parent, Class<?> type) {
        for (RecordComponent component : type.getRecordComponents()) {
            String dashed = component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            ConfigurationPropertyName name = parent.append(dashed);
            if (component.getType().isRecord()) {
                learn(name, component.getType());
            } else {
                known.put(letters(name, PREFIX), name);
            }
        }
    }

    private boolean isKnown(ConfigurationPropertyName name, boolean isLoose) {
        ConfigurationPropertyName given = withoutIndex(name);
        ConfigurationPropertyName same = known.get(letters(given, PREFIX));
        return same != null && (isLoose || same.equals(given));
    }

    /** The known property that has this name but for the {@code client}. Others above are those of other libraries. */
    private Optional<ConfigurationPropertyName> withClient(ConfigurationPropertyName name) {
        return PREFIX.isAncestorOf(name)
                ? Optional.empty()
                : Optional.ofNullable(known.get(letters(withoutIndex(name), ABOVE)));
    }

    private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
        return name.isLastElementIndexed() ? name.getParent() : name;
    }

    private String hint(ConfigurationPropertyName name) {
        String letters = letters(name, PREFIX);
        int furthest = Math.min(MAX_DISTANCE, (letters.length() - 1) / 2);
        Optional<ConfigurationPropertyName> nearest = known.keySet().stream()
                .filter(other -> distance(letters, other) <= furthest)
                .min(Comparator.comparing(other -> distance(letters, other)))
                .map(known::get);
        return nearest.map(UnknownProperties::didYouMean).orElse("known are " + known.values());
    }

    private static String didYouMean(ConfigurationPropertyName meant) {
        return "did you mean " + meant + "?";
    }

    private static String warning(ConfigurationPropertyName name, ConfigurationPropertySource source, String hint) {
        Origin origin = Origin.from(source.getConfigurationProperty(name));
        return "The property " + name + (origin == null ? "" : " (" + origin + ")") + " is not known and does nothing; "
                + hint;
    }

    private static String letters(ConfigurationPropertyName name, ConfigurationPropertyName above) {
        String below = name.toString().substring(above.toString().length());
        return below.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
    }

    /** The number of letters that differ, are missing or are too many. */
    private static int distance(String one, String other) {
        int[] previous = new int[other.length() + 1];
        for (int column = 0; column <= other.length(); column++) {
            previous[column] = column;
        }
        for (int row = 1; row <= one.length(); row++) {
            int[] current = new int[other.length() + 1];
            current[0] = row;
            for (int column = 1; column <= other.length(); column++) {
                int change = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
                current[column] =
                        Math.min(Math.min(current[column - 1], previous[column]) + 1, previous[column - 1] + change);
            }
            previous = current;
        }
        return previous[other.length()];
    }
}
