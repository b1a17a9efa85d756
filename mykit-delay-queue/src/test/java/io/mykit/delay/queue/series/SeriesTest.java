package io.mykit.delay.queue.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.mykit.delay.queue.memory.MemoryNotes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesTest {
    private static final long T0 = 1_800_000_000_000L;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final MeterRegistry metersOfB = new SimpleMeterRegistry();
    private final LatenessClasses lateness = new LatenessClasses();
    private final LatenessClasses latenessOfB = new LatenessClasses();
    private final MemoryNotes notes = new MemoryNotes();

    @Test
    void aStepHasItsEventsAndASumOverAllLabels() {
        Counter http = Counter.builder("mykit.delay.messages.accepted")
                .tag("via", "http")
                .register(meters);
        http.increment(100);
        Sampler sampler = new Sampler(meters, lateness);
        http.increment(3);
        Counter.builder("mykit.delay.messages.accepted")
                .tag("via", "batch")
                .register(meters)
                .increment(4);
        AtomicLong cancelled = new AtomicLong(5);
        FunctionCounter.builder("mykit.delay.messages.cancelled", cancelled, AtomicLong::get)
                .register(meters);
        for (String outcome : List.of("failed", "unavailable")) {
            Counter.builder("mykit.delay.attempts")
                    .tag("outcome", outcome)
                    .register(meters)
                    .increment(2);
        }
        lateness.record(6);

        sampler.take(T0 + 20, 12);
        sampler.take(T0 + 5_020, -1);

        List<Map<String, Object>> points = new Series("a", sampler, notes::samples).points(0);
        assertThat(points).hasSize(2);
        assertThat(points.get(0))
                .containsEntry("t", T0)
                .containsEntry("accepted", 7L)
                .containsEntry("cancelled", 5L)
                .containsEntry("failed", 2L)
                .containsEntry("delivered", null)
                .containsEntry("p50", 6L)
                .containsEntry("max", 6L)
                .containsEntry("near", 12L);
        assertThat(points.get(1))
                .containsEntry("accepted", 0L)
                .containsEntry("p99", null)
                .containsEntry("max", null)
                .containsEntry("near", null);
    }

    @Test
    void pointsOfAllNodesAreAddedAndPercentilesFollowFromTheSums() {
        Sampler a = new Sampler(meters, lateness);
        Sampler b = new Sampler(metersOfB, latenessOfB);
        Counter.builder("mykit.delay.messages.accepted").register(meters).increment(1);
        Counter.builder("mykit.delay.messages.accepted").register(metersOfB).increment(10);
        for (int i = 0; i < 100; i++) {
            lateness.record(10);
        }
        latenessOfB.record(5_000);
        a.take(T0, 7);
        notes.write("b", T0 + " {}", b.take(T0 + 900, -1), 0);
        notes.write("b", T0 + " {}", b.take(T0 + 5_900, -1), 0);

        Series series = new Series("a", a, notes::samples);
        assertThat(series.refresh(List.of("a", "b"), T0 + 6_000)).isTrue();
        List<Map<String, Object>> points = series.points(T0 - 1);
        assertThat(points).extracting(point -> point.get("t")).containsExactly(T0, T0 + 5_000);
        assertThat(points.get(0))
                .containsEntry("accepted", 11L)
                .containsEntry("max", 5_000L)
                .containsEntry("near", 7L);
        assertThat((Long) points.get(0).get("p99")).isLessThanOrEqualTo(10);
        assertThat(series.points(T0)).hasSize(1);

        notes.setAway(true);
        assertThat(series.refresh(List.of("a", "b"), T0 + 11_000)).isFalse();
        assertThat(series.points(0)).as("this node alone").hasSize(1);
    }

    @Test
    void onlyNewSamplesOfOthersAreRead() {
        Sampler b = new Sampler(metersOfB, latenessOfB);
        for (int i = 0; i < 5; i++) {
            notes.write("b", T0 + " {}", b.take(T0 + i * 5_000L, -1), 0);
        }
        AtomicLong asked = new AtomicLong();
        Series series = new Series("a", new Sampler(meters, lateness), lengths -> {
            asked.set(lengths.get("b") == null ? 0 : lengths.get("b"));
            return notes.samples(lengths);
        });
        series.refresh(List.of("a", "b"), T0 + 20_500);
        assertThat(asked).hasValue(Sampler.KEPT);
        notes.write("b", T0 + " {}", b.take(T0 + 25_000, -1), 0);
        series.refresh(List.of("a", "b"), T0 + 25_500);
        assertThat(asked).hasValueLessThan(4);
        assertThat(series.points(0)).hasSize(6);
        series.refresh(List.of("a"), T0 + 26_000);
        assertThat(series.points(0)).as("a node that has gone").isEmpty();
    }

    @Test
    void aRestartKeepsTheSamplesFromBefore() {
        Sampler before = new Sampler(meters, lateness);
        notes.write("a", T0 + " {}", before.take(T0, 1), 0);
        notes.write("a", T0 + " {}", before.take(T0 + 5_000, 2), 0);
        Sampler after = new Sampler(new SimpleMeterRegistry(), lateness);
        notes.write("a", T0 + " {}", after.take(T0 + 15_000, 4), 0);
        Series series = new Series("a", after, notes::samples);
        series.refresh(List.of("a"), T0 + 15_000);
        series.refresh(List.of("a"), T0 + 20_000);
        assertThat(series.points(0))
                .extracting(point -> point.get("t") + " " + point.get("near"))
                .containsExactly(T0 + " 1", (T0 + 5_000) + " 2", (T0 + 15_000) + " 4");
        after.take(T0 + 3_600_000, 5);
        assertThat(series.points(0)).as("an hour and no more").hasSize(3);
    }

    @Test
    void anHourIsKept() {
        Sampler sampler = new Sampler(meters, lateness);
        for (int i = 0; i < Sampler.KEPT + 10; i++) {
            sampler.take(T0 + i * Sampler.STEP_MS, -1);
        }
        assertThat(sampler.samples()).hasSize(Sampler.KEPT);
        assertThat(sampler.samples().get(0).timeMs()).isEqualTo(T0 + 10 * Sampler.STEP_MS);
    }

    @Test
    void aSampleSurvivesItsText() {
        long[] classes = new long[LatenessClasses.COUNT];
        classes[3] = 9;
        classes[LatenessClasses.COUNT - 1] = 1;
        Sample sample = new Sample(T0, new long[] {1, -1, 3, 4, 5, 6, Long.MAX_VALUE}, classes, 44, 120);
        assertThat(SampleText.read(SampleText.write(sample), Flow.ALL.size())).contains(sample);
        Sample empty = new Sample(T0, new long[7], new long[LatenessClasses.COUNT], -1, -1);
        assertThat(SampleText.read(SampleText.write(empty), Flow.ALL.size())).contains(empty);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";",
                "1;2;3",
                "a;1,2,3,4,5,6,7;1;1;",
                "1;1,2;1;1;",
                "1;1,2,3,4,5,6,7;1;1;999:1",
                "1;1,2,3,4,5,6,7;1;1;1:2:3;x"
            })
    void otherTextsAreNoSamples(String text) {
        assertThat(SampleText.read(text, Flow.ALL.size())).isEmpty();
    }
}
