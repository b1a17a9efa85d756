package io.mykit.delay.test.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AlertRulesTest {
    private static final String RUNBOOK = "docs/troubleshooting.md";

    @TempDir
    Path dir;

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
        assumeTrue(isInstalled(), "promtool is not on the PATH");
        run("promtool", "check", "rules", "rules.yml");
        run("promtool", "test", "rules", "rules-test.yml");
        run("promtool", "check", "config", "prometheus.yml");
    }

    private void run(String... command) throws IOException, InterruptedException {
        Path output = dir.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(AlertRules.dir().toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    }

    private static boolean isInstalled() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, "promtool")));
    }

    static List<AlertRules.Rule> rules() {
        return AlertRules.all();
    }
}
