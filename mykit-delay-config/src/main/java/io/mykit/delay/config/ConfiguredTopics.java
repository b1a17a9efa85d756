package io.mykit.delay.config;

import java.util.List;
import java.util.stream.Stream;

/** The topics that a configuration names whole, without those that it names by their beginning. Stateless. */
public final class ConfiguredTopics {
    private static final String BEGINNING = "*";

    private ConfiguredTopics() {}

    /** The names, sorted. */
    public static List<String> of(DeliveryConfig delivery) {
        return Stream.concat(delivery.topics().keySet().stream(), delivery.policy().keySet().stream())
                .filter(name -> !name.endsWith(BEGINNING))
                .distinct()
                .sorted()
                .toList();
    }
}
