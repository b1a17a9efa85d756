package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.metric.Family;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of metrics have all families of the code, with their types and labels, and no others. */
class MetricsPageTest {
    private static final int COLUMNS = 5;

    @ParameterizedTest
    @ValueSource(strings = {"docs/metrics.md", "docs/metrics.zh-CN.md"})
    void hasEachFamilyWithTypeAndLabels(String page) {
        List<String> described = Page.of(page).rows().stream()
                .filter(row -> row.size() == COLUMNS)
                .map(row -> row.get(0) + " " + type(row.get(1)) + " " + row.get(2))
                .toList();
        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Family.values())
                        .map(family -> "`" + family.exported() + "` " + type(family) + " " + labels(family))
                        .toList());
    }

    private static String type(Family family) {
        return family.kind().type() + (family.kind().isOfLeader() ? " L" : "");
    }

    private static String type(String cell) {
        return cell.replace(" of the leader", " L").replace("（主节点）", " L");
    }

    private static String labels(Family family) {
        return String.join(
                ", ", family.labels().stream().map(label -> "`" + label + "`").toList());
    }
}
