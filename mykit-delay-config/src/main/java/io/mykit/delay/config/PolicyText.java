package io.mykit.delay.config;

import io.mykit.delay.common.value.ValueParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the policy of one topic from texts, by the rules of {@code delivery.policy}. Stateless. */
public final class PolicyText {
    /** The keys that operators may set while the queue runs, by their names in JSON. */
    public static final List<String> NAMES = List.of(
            "maxAttempts", "interval", "multiplier", "maxInterval", "gaps", "jitter", "ttl", "rate", "concurrency");

    private static final Pattern HYPHEN = Pattern.compile("-(.)");

    private PolicyText() {}

    /**
     * @param values by their names in JSON
     * @throws IllegalArgumentException naming a value that is wrong, and what is allowed
     */
    public static PolicyConfig parse(Map<String, String> values) {
        values.keySet().stream()
                .filter(name -> !NAMES.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(
                            name + " cannot be set for a topic; these can: " + String.join(", ", NAMES));
                });
        PolicyConfig policy = new Given(
                value(values, "maxAttempts", Integer.class),
                value(values, "interval", Duration.class),
                value(values, "multiplier", Double.class),
                value(values, "maxInterval", Duration.class),
                value(values, "gaps", String.class),
                value(values, "jitter", Double.class),
                value(values, "ttl", Duration.class),
                Optional.empty(),
                value(values, "rate", Double.class),
                value(values, "concurrency", Integer.class));
        List<String> problems = new ArrayList<>();
        PolicyCheck.run(policy, (key, value, allowed) -> problems.add(problem(camelCase(key), value, allowed)));
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return policy;
    }

    private static <T> Optional<T> value(Map<String, String> values, String name, Class<T> type) {
        String text = values.get(name);
        try {
            return Optional.ofNullable(text).map(given -> type.cast(ValueParser.parse(type, given)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(problem(name, text, e.getMessage()), e);
        }
    }

    private static String problem(String name, Object value, String allowed) {
        return name + " = " + value + ": " + allowed;
    }

    /** The name in JSON of a key in the configuration. */
    private static String camelCase(String key) {
        return HYPHEN.matcher(key).replaceAll(hyphen -> hyphen.group(1).toUpperCase(Locale.ROOT));
    }

    private record Given(
            Optional<Integer> maxAttempts,
            Optional<Duration> interval,
            Optional<Double> multiplier,
            Optional<Duration> maxInterval,
            Optional<String> gaps,
            Optional<Double> jitter,
            Optional<Duration> ttl,
            Optional<String> deadLetterTopic,
            Optional<Double> rate,
            Optional<Integer> concurrency)
            implements PolicyConfig {}
}
