package io.mykit.delay.test.metrics;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The text of one or more scrapes in Prometheus' format. Immutable. */
final class Scrape {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"((?:[^\"\\\\]|\\\\.)*)\"");

    private final Map<String, String> types = new TreeMap<>();
    private final Map<String, String> helps = new TreeMap<>();
    /** The labels of the samples with a name. */
    private final Map<String, Set<String>> labels = new TreeMap<>();

    /** By name and labels, and a blank; the nodes are added up. */
    private final Map<String, Double> samples = new LinkedHashMap<>();

    Scrape(String... texts) {
        Stream.of(texts).flatMap(String::lines).forEach(this::read);
    }

    private void read(String line) {
        String[] words = line.split(" ", 4);
        if (line.startsWith("# TYPE ")) {
            types.put(words[2], words[3]);
        } else if (line.startsWith("# HELP ")) {
            helps.put(words[2], words[3]);
        } else {
            Matcher sample = SAMPLE.matcher(line);
            if (!sample.matches()) {
                throw new IllegalArgumentException("no sample: " + line);
            }
            Set<String> names = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
            Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
            while (label.find()) {
                names.add(label.group(1));
            }
            samples.merge(line.substring(0, sample.start(3)), Double.parseDouble(sample.group(3)), Double::sum);
        }
    }

    /** The type of each family. */
    Map<String, String> types() {
        return types;
    }

    /** The help text of each family. */
    Map<String, String> helps() {
        return helps;
    }

    /** The names of samples, such as {@code x_seconds_bucket}. */
    Set<String> names() {
        return labels.keySet();
    }

    /** The labels of the samples of a family, without the bounds of buckets. */
    Set<String> labelsOf(String family) {
        Set<String> found = new TreeSet<>();
        Stream.of("", "_count")
                .map(suffix -> labels.getOrDefault(family + suffix, Set.of()))
                .forEach(found::addAll);
        return found;
    }

    /** The labels of the samples with exactly this name. */
    Set<String> labelsOfSample(String name) {
        return labels.getOrDefault(name, Set.of());
    }

    /** The number of series that begin so. */
    long series(String beginning) {
        return samples.keySet().stream()
                .filter(sample -> sample.startsWith(beginning))
                .count();
    }

    /** The sum of all samples that begin so. */
    double sum(String beginning) {
        return samples.entrySet().stream()
                .filter(sample -> sample.getKey().startsWith(beginning))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }
}
