package io.mykit.delay.queue.bucket;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The topics whose messages consumers pull. The first rule that fits a topic decides; without such a rule, the topic is not pulled.
 * Immutable.
 *
 * @param rules exact names first, then the longest beginning
 */
public record PulledTopics(List<Rule> rules) {
    private static final String ANY = "*";

    /** No topic is pulled. */
    public static final PulledTopics NONE = new PulledTopics(List.of());

    public PulledTopics {
        rules = List.copyOf(rules);
    }

    /**
     * A rule for one topic, or for all topics that begin with a text.
     *
     * @param text the topic, or its beginning
     */
    public record Rule(String text, boolean beginning, boolean pulled) {
        private boolean fits(String topic) {
            return beginning ? topic.startsWith(text) : topic.equals(text);
        }

        /** Whether this rule says otherwise than a rule that comes later and fits the same topics. */
        private boolean isException(List<Rule> all) {
            return all.stream().anyMatch(other -> other.beginning && other.pulled && text.startsWith(other.text));
        }
    }

    /**
     * Keeps only the rules that a scan needs: each scan gets them.
     *
     * @param byName whether a topic is pulled. A name that ends with {@code *} stands for all topics that begin with the rest of it
     * @param others whether topics without a name are pulled
     */
    public static PulledTopics of(Map<String, Boolean> byName, boolean others) {
        Stream<Rule> named =
                byName.entrySet().stream().map(entry -> rule(entry.getKey(), Boolean.TRUE.equals(entry.getValue())));
        Stream<Rule> rest = byName.containsKey(ANY) ? Stream.of() : Stream.of(new Rule("", true, others));
        List<Rule> all = Stream.concat(named, rest)
                .sorted(Comparator.comparing(Rule::beginning)
                        .thenComparing(rule -> -rule.text.length())
                        .thenComparing(Rule::text))
                .toList();
        return new PulledTopics(all.stream()
                .filter(rule -> rule.pulled || rule.isException(all))
                .toList());
    }

    private static Rule rule(String name, boolean pulled) {
        boolean beginning = name.endsWith(ANY);
        String text = beginning ? name.substring(0, name.length() - ANY.length()) : name;
        return new Rule(text, beginning, pulled);
    }

    public boolean contains(String topic) {
        for (Rule rule : rules) {
            if (rule.fits(topic)) {
                return rule.pulled;
            }
        }
        return false;
    }

    /** The pulled topics that have a rule of their own. */
    public List<String> named() {
        return rules.stream()
                .filter(rule -> rule.pulled && !rule.beginning)
                .map(Rule::text)
                .toList();
    }

    /** All other pulled topics begin with one of these texts, and so may topics that are not pulled. */
    public List<String> beginnings() {
        List<String> all = rules.stream()
                .filter(rule -> rule.pulled && rule.beginning)
                .map(Rule::text)
                .toList();
        return all.stream()
                .filter(text -> all.stream().noneMatch(other -> !other.equals(text) && text.startsWith(other)))
                .toList();
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }
}
