package io.mykit.delay.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The topics that a configuration names whole, or by their beginning. Stateless. */
public final class ConfiguredTopics {
    private static final String BEGINNING = "*";

    private ConfiguredTopics() {}

    /** The names that the configuration of deliveries has whole, sorted. */
    public static List<String> of(DeliveryConfig delivery) {
        return Stream.concat(delivery.topics().keySet().stream(), delivery.policy().keySet().stream())
                .filter(name -> !name.endsWith(BEGINNING))
                .distinct()
                .sorted()
                .toList();
    }

    /** The names that {@code metrics.topics} has whole, in order. */
    public static List<String> named(MetricsConfig metrics) {
        return entries(metrics).filter(name -> !name.endsWith(BEGINNING)).toList();
    }

    /** The beginnings of names that {@code metrics.topics} has, without their {@code *}; an empty one stands for all topics. */
    public static List<String> beginnings(MetricsConfig metrics) {
        return entries(metrics)
                .filter(name -> name.endsWith(BEGINNING))
                .map(name -> name.substring(0, name.length() - BEGINNING.length()))
                .toList();
    }

    private static Stream<String> entries(MetricsConfig metrics) {
        return metrics.topics().stream()
                .flatMap(text -> Arrays.stream(text.split(",")))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .distinct();
    }
}
