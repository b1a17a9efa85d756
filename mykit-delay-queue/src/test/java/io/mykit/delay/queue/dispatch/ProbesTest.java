package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProbesTest {
    private static final Duration PAUSE = Duration.ofMillis(500);
    private static final long MS = 1_000_000;

    private record Task(long atNanos, Runnable run) {}

    private final PriorityQueue<Task> tasks = new PriorityQueue<>(Comparator.comparingLong(Task::atNanos));
    private final List<String> probed = new ArrayList<>();
    /** A time that is about to overflow. */
    private long nowNanos = Long.MAX_VALUE - 100 * MS;

    private final long beginNanos = nowNanos;

    private final Probes probes = new Probes(
            (afterNanos, task) -> tasks.add(new Task(nowNanos - beginNanos + afterNanos, task)),
            () -> nowNanos,
            probed::add);

    @Test
    void probesATopicAtTheEndOfItsPause() {
        assertThat(probes.rest("c", "a", PAUSE)).isEqualTo(PAUSE);
        pass(499);
        assertThat(probed).isEmpty();
        pass(1);
        assertThat(probed).containsExactly("a");
        pass(5000);
        assertThat(probed).hasSize(1);
    }

    @Test
    void aShorterPauseEndsBeforeALongerOneThatBeganEarlier() {
        probes.rest("c", "long", PAUSE.multipliedBy(3));
        probes.rest("c", "short", PAUSE);
        pass(600);
        assertThat(probed).containsExactly("short");
        pass(1000);
        assertThat(probed).containsExactly("short", "long");
    }

    @Test
    void aHundredTopicsOfAChannelAreProbedInASecondInTheOrderOfTheirPauses() {
        List<String> topics = IntStream.range(0, 1000).mapToObj(i -> "t" + i).toList();
        IntStream.range(0, 1000).forEach(i -> probes.rest("c", topics.get(i), PAUSE.minusNanos(1000 - i)));
        assertThat(probes.rest("c", "last", PAUSE))
                .isEqualTo(Duration.ofSeconds(10).plusMillis(10));
        probes.rest("other", "o", PAUSE);
        pass(500);
        assertThat(probed).as("another channel has its own turns").contains("o").hasSize(2);
        pass(1000);
        assertThat(probed).hasSize(102);
        pass(9010);
        assertThat(probed).hasSize(1002).containsAll(topics).endsWith("last");
    }

    @Test
    void eachTopicThatRecoversHasTwoOthersProbedAtOnce() {
        IntStream.range(0, 1000).forEach(i -> probes.rest("c", "t" + i, PAUSE));
        probes.recovered("other");
        pass(0);
        assertThat(probed).isEmpty();
        for (int recovered = 0; recovered < 1000; ) {
            probes.recovered("c");
            pass(0);
            recovered = probed.size();
        }
        assertThat(probed).doesNotHaveDuplicates();
        pass(20_000);
        assertThat(probed).as("each pause ends once").hasSize(1000);
    }

    @Test
    void aTopicThatFailsOnceMoreRestsOnceMore() {
        probes.rest("c", "a", PAUSE);
        pass(500);
        probes.rest("c", "a", PAUSE);
        pass(499);
        assertThat(probed).hasSize(1);
        pass(1);
        assertThat(probed).containsExactly("a", "a");
    }

    private void pass(long millis) {
        long end = nowNanos - beginNanos + millis * MS;
        while (!tasks.isEmpty() && tasks.peek().atNanos() <= end) {
            Task next = tasks.remove();
            nowNanos = Math.max(nowNanos - beginNanos, next.atNanos()) + beginNanos;
            next.run().run();
        }
        nowNanos = beginNanos + end;
    }
}
