package io.mykit.delay.queue.series;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.memory.MemoryNotes;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TopicMinutesTest {
    private static final long MINUTE = TopicMinutes.STEP_MS;
    private static final long T0 = 1_800_000_000_000L;
    private static final List<String> BOTH = List.of("a", "b");

    private final MemoryNotes notes = new MemoryNotes();
    private final TopicMinutes a = new TopicMinutes(List.of());
    private final TopicMinutes b = new TopicMinutes(List.of());
    private final TopicPoints points = new TopicPoints("a", a, notes::minutes);

    private void end(long timeMs) {
        notes.writeMinutes("a", a.end(timeMs));
        notes.writeMinutes("b", b.end(timeMs));
    }

    private TopicPoints.Found find(String topic) {
        return points.find(topic, BOTH, 0, T0 + MINUTE);
    }

    @Test
    void aMinuteIsTheSumOfAllNodes() {
        a.accepted("orders");
        a.accepted("orders");
        b.accepted("orders");
        a.delivered("orders", 7);
        a.late("orders", 20);
        a.failed("orders");
        a.accepted("others");
        end(T0 + 300);
        end(T0 + MINUTE);
        TopicPoints.Found found = find("orders");
        assertThat(found.complete()).isTrue();
        assertThat(found.read()).isTrue();
        assertThat(found.points()).hasSize(2);
        assertThat(found.points().get(0))
                .containsEntry("t", T0)
                .containsEntry("accepted", 3L)
                .containsEntry("delivered", 7L)
                .containsEntry("failed", 1L)
                .containsEntry("max", 20L)
                .containsEntry("p50", 20L);
        assertThat(found.points().get(1))
                .containsEntry("accepted", 0L)
                .containsEntry("delivered", 0L)
                .containsEntry("p99", null)
                .containsEntry("max", null);
        assertThat(points.find("orders", BOTH, T0, T0 + MINUTE).points()).hasSize(1);
    }

    /** All topics have a place, so a topic without one had no event. */
    @Test
    void aTopicWithoutAnEventHasZeros() {
        end(T0);
        assertThat(find("quiet").points()).singleElement().satisfies(point -> assertThat(point)
                .containsEntry("accepted", 0L));
    }

    @Test
    void aMinuteWithoutASampleIsMissing() {
        end(T0 - 3 * MINUTE);
        end(T0);
        assertThat(find("t")).satisfies(found -> assertThat(found.points())
                .extracting(point -> point.get("t"))
                .containsExactly(T0 - 3 * MINUTE, T0));
    }

    @Test
    void aTopicBeyondThePlacesIsNotShownAsZero() {
        IntStream.range(0, TopicMinutes.PLACES).forEach(i -> a.accepted("t" + i));
        end(T0 - MINUTE);
        a.accepted("late");
        end(T0);
        TopicPoints.Found found = find("late");
        assertThat(found.complete()).isFalse();
        assertThat(found.points()).extracting(point -> point.get("t")).containsExactly(T0 - MINUTE);
        assertThat(find("t99").points()).hasSize(2);
    }

    @Test
    void aTopicWithoutAnEventForAnHourGivesItsPlaceBack() {
        TopicMinutes minutes = new TopicMinutes(List.of("configured"));
        IntStream.range(1, TopicMinutes.PLACES).forEach(i -> minutes.accepted("t" + i));
        for (int i = 0; i <= TopicMinutes.KEPT; i++) {
            assertThat(minutes.end(T0 + i * MINUTE)).containsKey("configured");
            minutes.accepted("t1");
        }
        minutes.accepted("new");
        assertThat(minutes.end(T0 + 61 * MINUTE)).containsOnlyKeys("", "configured", "t1", "new");
        assertThat(minutes.samples("configured")).hasSize(TopicMinutes.KEPT);
    }

    @Test
    void theMinutesBeforeARestartComeFromRedis() {
        a.accepted("orders");
        end(T0 - MINUTE);
        TopicMinutes again = new TopicMinutes(List.of());
        again.accepted("orders");
        notes.writeMinutes("a", again.end(T0));
        assertThat(new TopicPoints("a", again, notes::minutes)
                        .find("orders", BOTH, 0, T0)
                        .points())
                .extracting(point -> point.get("accepted"))
                .containsExactly(1L, 1L);
    }

    @Test
    void withoutRedisTheNodeShowsItsOwnMinutes() {
        a.accepted("orders");
        b.accepted("orders");
        end(T0);
        notes.setAway(true);
        TopicPoints.Found found = find("orders");
        assertThat(found.read()).isFalse();
        assertThat(found.points()).singleElement().satisfies(point -> assertThat(point)
                .containsEntry("accepted", 1L));
    }

    @Test
    void anOlderMinuteThanAnHourIsNotShown() {
        end(T0 - 62 * MINUTE);
        assertThat(points.find("t", BOTH, 0, T0).points()).isEmpty();
        assertThat(points.find("t", List.of(), 0, T0).read()).isFalse();
    }

    @Test
    void aTextOfAnotherFormIsPassedOver() {
        notes.writeMinutes("b", Map.of("t", "what is this", "", T0 + ";0,0,0;-1;-1;"));
        assertThat(find("t").points()).singleElement().satisfies(point -> assertThat(point)
                .containsEntry("t", T0));
    }
}
