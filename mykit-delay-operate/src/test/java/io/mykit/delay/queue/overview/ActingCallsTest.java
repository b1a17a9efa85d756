package io.mykit.delay.queue.overview;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.queue.bucket.NodeNotes.CallEnd;
import io.mykit.delay.queue.memory.MemoryQueue;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActingCallsTest {
    private final MemoryQueue queue = new MemoryQueue(Duration.ofHours(1));
    private final TestNode a = new TestNode(queue, "a:6355", "2.0.0");
    private final TestNode b = new TestNode(queue, "b:6355", "2.0.0");

    private static ActingCall call(long timeMs) {
        return new ActingCall(timeMs, "pause", "topic=t", "operator", "127.0.0.1", 200, "DONE", 3);
    }

    private static ActingCall refused(long timeMs, int status, String result) {
        return new ActingCall(timeMs, "pause", "", "operator", "127.0.0.1", status, result, 1);
    }

    private void tick() {
        queue.pass(Duration.ofSeconds(5));
        a.tick();
        b.tick();
    }

    private static List<Object> times(TestNode node) {
        return ((List<?>) node.overview.operations().get("recent"))
                .stream()
                        .map(each -> (Object) ((Number) ((Map<?, ?>) each).get("time")).longValue())
                        .toList();
    }

    @Test
    void eachNodeShowsTheCallsOfAll() {
        tick();
        a.overview.called(call(7));
        assertThat(times(a)).containsExactly(7L);
        tick();
        b.overview.called(call(8));
        tick();
        assertThat(times(a)).containsExactly(8L, 7L);
        assertThat(times(b)).containsExactly(8L, 7L);
        assertThat(((List<?>) a.overview.operations().get("recent")).get(0))
                .isEqualTo(Map.of(
                        "time",
                        8,
                        "call",
                        "pause",
                        "what",
                        "topic=t",
                        "caller",
                        "operator",
                        "address",
                        "127.0.0.1",
                        "node",
                        "b:6355",
                        "status",
                        200,
                        "result",
                        "DONE",
                        "milliseconds",
                        3));
    }

    @Test
    void withoutRedisANodeShowsItsOwnAndWritesThemLater() {
        tick();
        queue.buckets().notes().setAway(true);
        a.overview.called(call(1));
        tick();
        assertThat(times(a)).containsExactly(1L);
        assertThat(times(b)).isEmpty();
        queue.buckets().notes().setAway(false);
        tick();
        tick();
        assertThat(times(b)).containsExactly(1L);
        assertThat(times(a)).containsExactly(1L);
    }

    @Test
    void theLastFiftyAreShown() {
        tick();
        for (int i = 0; i < 60; i++) {
            a.overview.called(call(i));
        }
        assertThat(times(a)).hasSize(50).startsWith(59L).endsWith(10L);
        tick();
        assertThat(times(b)).hasSize(50).startsWith(59L).endsWith(10L);
    }

    @Test
    void refusedCallsDoNotPushOutOneThatChangedSomething() {
        tick();
        a.overview.called(call(1));
        a.overview.called(refused(2, 503, "OUTCOME_UNKNOWN"));
        a.overview.called(refused(3, 500, "INTERNAL"));
        for (int i = 10; i < 70; i++) {
            a.overview.called(refused(i, i % 2 == 0 ? 400 : 403, i % 2 == 0 ? "INVALID_REQUEST" : "FORBIDDEN"));
        }
        assertThat(times(a)).hasSize(53).startsWith(69L).endsWith(20L, 3L, 2L, 1L);
        tick();
        assertThat(times(b)).hasSize(53).startsWith(69L).endsWith(20L, 3L, 2L, 1L);
    }

    @Test
    void aTextOfAnotherVersionIsPassedOver() {
        tick();
        a.overview.called(call(1));
        tick();
        queue.otherNode().notes().writeCalls(CallEnd.ACTED, List.of("[what", "7"));
        assertThat(times(b)).containsExactly(1L);
    }
}
