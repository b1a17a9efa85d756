package io.mykit.delay.test.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** The rules in {@code deploy/prometheus/rules.yml}. Stateless. */
final class AlertRules {
    private AlertRules() {}

    /** The directory of rules and their tests. */
    static Path dir() {
        return root().resolve("deploy/prometheus");
    }

    static Path root() {
        return Path.of(System.getProperty("mykit.delay.repo", ".."))
                .toAbsolutePath()
                .normalize();
    }

    static List<Rule> all() {
        return list(read("rules.yml"), "groups").stream()
                .flatMap(group -> list(group, "rules").stream())
                .map(AlertRules::rule)
                .toList();
    }

    /** The names of the alerts of each test in {@code rules-test.yml}; a test that expects one is followed by {@code !}. */
    static List<String> tested() {
        return list(read("rules-test.yml"), "tests").stream()
                .flatMap(test -> list(test, "alert_rule_test").stream())
                .map(test -> test.get("alertname") + (list(test, "exp_alerts").isEmpty() ? "" : "!"))
                .toList();
    }

    private static Rule rule(Map<String, Object> rule) {
        return new Rule(
                (String) rule.get("alert"),
                (String) rule.get("expr"),
                (String) rule.get("for"),
                texts(rule, "labels"),
                texts(rule, "annotations"));
    }

    private static Map<String, Object> read(String file) {
        try {
            return new Yaml().load(Files.readString(dir().resolve(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> from, String key) {
        return (List<Map<String, Object>>) from.get(key);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> texts(Map<String, Object> from, String key) {
        return (Map<String, String>) from.get(key);
    }

    /** @param holding how long the expression must hold */
    record Rule(
            String name,
            String expression,
            String holding,
            Map<String, String> labels,
            Map<String, String> annotations) {}
}
