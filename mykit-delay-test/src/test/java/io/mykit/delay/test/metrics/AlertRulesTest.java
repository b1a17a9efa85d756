package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AlertRulesTest {
    private static final String RUNBOOK = "docs/troubleshooting.md";

    @ParameterizedTest
    @MethodSource("rules")
    void eachRuleSaysHowUrgentItIsAndWhereToRead(AlertRules.Rule rule) throws IOException {
        assertThat(rule.name()).matches("[A-Z][A-Za-z]+");
        assertThat(rule.holding()).matches("[0-9]+[smh]");
        assertThat(rule.labels().get("severity")).isIn("page", "ticket");
        assertThat(rule.annotations()).containsOnlyKeys("summary", "description", "runbook_url");
        assertThat(rule.annotations().values())
                .allSatisfy(text -> assertThat(text).isNotBlank());
        assertThat(rule.annotations().get("runbook_url"))
                .isEqualTo(RUNBOOK + "#" + rule.name().toLowerCase(Locale.ROOT));
        Path page = AlertRules.root().resolve(RUNBOOK);
        if (Files.exists(page)) {
            assertThat(Files.readAllLines(page)).contains("## " + rule.name());
        }
    }

    @ParameterizedTest
    @MethodSource("rules")
    void eachRuleHasATestThatFiresAndOneThatDoesNot(AlertRules.Rule rule) {
        assertThat(AlertRules.tested()).contains(rule.name() + "!", rule.name());
    }

    @Test
    void noTwoRulesHaveOneName() {
        assertThat(rules())
                .extracting(AlertRules.Rule::name)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(20);
    }

    @Test
    void promtoolAcceptsRulesAndTheirTests() throws Exception {
        Promtool.isNeeded("promtool");
        Promtool.accepts("check", "rules", "rules.yml");
        Promtool.accepts("test", "rules", "rules-test.yml");
        Promtool.accepts("check", "config", "prometheus.yml");
    }

    static List<AlertRules.Rule> rules() {
        return AlertRules.all();
    }
}
