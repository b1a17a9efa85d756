package io.mykit.delay.test.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The metrics and labels that an expression of PromQL names. Reads the forms that rules and dashboard use, no others. */
final class Expression {
    private static final Set<String> WORDS = Set.of(
            "sum",
            "max",
            "min",
            "count",
            "by",
            "on",
            "and",
            "or",
            "absent",
            "rate",
            "increase",
            "deriv",
            "time",
            "histogram_quantile");
    /** Prometheus adds them to all samples. */
    private static final Set<String> OF_SCRAPE = Set.of("job", "instance");

    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|on) ?\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
    private static final Pattern SELECTOR = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)\\{([^}]*)}");
    private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]+)\\s*(?:=~|!~|!=|=)\\s*\"[^\"]*\"");

    private final String text;

    Expression(String text) {
        this.text = text;
    }

    /** What the expression names and no sample of the scrape has. */
    List<String> unknownIn(Scrape scrape) {
        List<String> unknown = new ArrayList<>();
        Set<String> metrics = metrics();
        for (String metric : metrics) {
            if (!metric.equals("up") && !scrape.names().contains(metric)) {
                unknown.add(metric);
            }
        }
        Matcher selector = SELECTOR.matcher(text);
        while (selector.find()) {
            for (String label : matched(selector.group(2))) {
                if (!OF_SCRAPE.contains(label)
                        && !scrape.labelsOfSample(selector.group(1)).contains(label)) {
                    unknown.add(selector.group(1) + "{" + label + "}");
                }
            }
        }
        Matcher grouping = GROUPING.matcher(text);
        while (grouping.find()) {
            for (String label : grouping.group(1).split(",", -1)) {
                String name = label.strip();
                if (!OF_SCRAPE.contains(name)
                        && metrics.stream().noneMatch(metric -> scrape.labelsOfSample(metric)
                                .contains(name))) {
                    unknown.add("by " + name);
                }
            }
        }
        return unknown;
    }

    private Set<String> metrics() {
        String bare = RANGE.matcher(GROUPING.matcher(text).replaceAll(" ")).replaceAll(" ");
        Matcher name = NAME.matcher(SELECTOR.matcher(bare).replaceAll("$1 "));
        Set<String> metrics = new TreeSet<>();
        while (name.find()) {
            if (!WORDS.contains(name.group())) {
                metrics.add(name.group());
            }
        }
        return metrics;
    }

    private static List<String> matched(String matchers) {
        return MATCHER.matcher(matchers).results().map(match -> match.group(1)).toList();
    }
}
