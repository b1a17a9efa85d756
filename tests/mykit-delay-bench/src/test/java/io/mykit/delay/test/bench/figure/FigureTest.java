package io.mykit.delay.test.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {

    @Test
    void ratioIsToTheCeilingAndIsJudged() {
        Figure cost = Figure.of("accept", "CPU", 30, "us").beside("raw", 20).must(Target.ratioAtMost(1.5));
        assertThat(cost.ratio()).isEqualTo(1.5);
        assertThat(cost.verdict()).isEqualTo("met");
        assertThat(Figure.of("accept", "CPU", 30.1, "us")
                        .beside("raw", 20)
                        .must(Target.ratioAtMost(1.5))
                        .verdict())
                .isEqualTo("not met");
        assertThat(Figure.of("batch", "rate", 9, "/s")
                        .beside("raw", 20)
                        .must(Target.ratioAtLeast(0.5))
                        .verdict())
                .isEqualTo("not met");
    }

    @Test
    void valueIsJudgedWithoutCeiling() {
        assertThat(Figure.of("accept", "p99", 12, "ms")
                        .must(Target.valueAtMost(12))
                        .verdict())
                .isEqualTo("met");
        assertThat(Figure.of("accept", "p99", 12, "ms").verdict()).isEmpty();
    }

    @Test
    void whatWasNotMeasuredMeetsNothing() {
        assertThat(Figure.of("peers", "rate", 5, "/s")
                        .must(Target.ratioAtLeast(2))
                        .verdict())
                .isEqualTo("not met");
        assertThat(Figure.of("peers", "rate", Double.NaN, "/s")
                        .must(Target.valueAtMost(2))
                        .verdict())
                .isEqualTo("not met");
    }

    @Test
    void medianIsTheMiddleOne() {
        Samples samples = new Samples();
        List.of(9.0, 1.0, 2.0).forEach(value -> samples.add("odd", value));
        List.of(4.0, 1.0, 2.0, 9.0).forEach(value -> samples.add("even", value));
        assertThat(samples.median("odd")).isEqualTo(2);
        assertThat(samples.median("even")).isEqualTo(3);
        assertThatThrownBy(() -> samples.median("never")).hasMessageContaining("never");
    }

    @Test
    void tableHasARowForEachFigure() {
        String table = Table.of(List.of(
                Figure.of("accept", "rate", 12_345.6, "/s")
                        .beside("raw", 24_691.2)
                        .must(Target.ratioAtLeast(0.6)),
                Figure.of("idle", "CPU", 0.25, "%")));
        assertThat(table.lines())
                .containsExactly(
                        "| line   | what | figure    | raw ceiling  | ratio | target         |         |",
                        "| ------ | ---- | --------- | ------------ | ----- | -------------- | ------- |",
                        "| accept | rate | 12,346 /s | 24,691 (raw) | 0.500 | ratio >= 0.600 | not met |",
                        "| idle   | CPU  | 0.250 %   |              |       |                |         |");
    }
}
