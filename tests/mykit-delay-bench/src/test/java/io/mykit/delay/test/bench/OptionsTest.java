package io.mykit.delay.test.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.test.bench.line.BenchLine;
import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void optionsMayComeInAnyOrder() {
        Options options =
                Options.parse("--only", "idle,accept", "--java-options", "-Xmn64m -Xint", "--runs", "5", "--quick");
        assertThat(options.javaOptions()).isEqualTo("-Xmn64m -Xint");
        assertThat(options.extent()).isEqualTo(Options.Extent.QUICK);
        assertThat(options.scale().runs()).isEqualTo(5);
        assertThat(Lines.chosen(options)).extracting(BenchLine::name).containsExactly("accept", "idle");
    }

    @Test
    void onlyTheFullBenchHasAllLines() {
        assertThat(Lines.chosen(Options.parse()))
                .extracting(BenchLine::name)
                .doesNotContain(
                        "retries",
                        "respawn",
                        "burst",
                        "growth",
                        "restore",
                        "housekeeping",
                        "audit",
                        "capacity",
                        "buckets");
        assertThat(Lines.chosen(Options.parse("--full")))
                .extracting(BenchLine::name)
                .contains(
                        "accept",
                        "retries",
                        "respawn",
                        "burst",
                        "growth",
                        "restore",
                        "housekeeping",
                        "audit",
                        "capacity",
                        "buckets");
    }

    @Test
    void mistakesAreNamed() {
        assertThatThrownBy(() -> Options.parse("--fast")).hasMessageContaining("--fast");
        assertThatThrownBy(() -> Options.parse("--runs", "0")).hasMessageContaining("at least 1, not 0");
        assertThatThrownBy(() -> Options.parse("--database", "oracle")).hasMessageContaining("mysql or mariadb");
        assertThatThrownBy(() -> Options.parse("--json")).hasMessageContaining("needs a value");
        assertThatThrownBy(() -> Lines.chosen(Options.parse("--only", "speed")))
                .hasMessageContaining("no line speed; there are accept, ");
    }

    @Test
    void helpNamesEveryLine() {
        assertThat(Help.text()).contains("--quick", "--json FILE", "\n  accept ", "\n  growth ");
    }
}
