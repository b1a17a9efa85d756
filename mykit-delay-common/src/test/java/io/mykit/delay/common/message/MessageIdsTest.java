package io.mykit.delay.common.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MessageIdsTest {
    private final AtomicLong nowMs = new AtomicLong(1_750_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());
    private final MessageIds ids = new MessageIds(clock, 42);

    @Test
    void idsGrowWithTheClock() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            made.add(ids.next());
            nowMs.addAndGet(i % 7);
        }
        assertThat(made).isSorted().doesNotHaveDuplicates().allMatch(id -> id.matches("[0-9A-HJKMNP-TV-Z]{20}"));
    }

    @Test
    void idsGrowInsideOneMillisecondAndBeyondItsCounter() {
        List<String> made = IntStream.range(0, 10_000).mapToObj(i -> ids.next()).toList();
        assertThat(made).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void idsGrowAlthoughTheClockGoesBack() {
        String before = ids.next();
        nowMs.addAndGet(-3_600_000);
        String after = ids.next();
        nowMs.addAndGet(7_200_000);
        assertThat(List.of(before, after, ids.next())).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void idsOfALaterProcessAreGreaterWhateverItsRandomBits() {
        String early = new MessageIds(clock, -1).next();
        nowMs.incrementAndGet();
        assertThat(new MessageIds(clock, 0).next()).isGreaterThan(early);
    }

    @Test
    void theLayoutStaysSortableToTheEndOfTime() {
        String now = ids.next();
        nowMs.set(MessageLimits.MAX_DUE_TIME_MS);
        String last = ids.next();
        assertThat(last).hasSize(20).isGreaterThan(now);
        assertThat(last).endsWith(now.substring(12));
    }

    @Test
    void twoProcessesDifferInTheSameMillisecond() {
        assertThat(new MessageIds(clock).next()).isNotEqualTo(new MessageIds(clock).next());
    }

    @Test
    void threadsNeverShareAnId() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<String>>> running = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                running.add(threads.submit(() ->
                        IntStream.range(0, 20_000).mapToObj(n -> ids.next()).toList()));
            }
            Set<String> all = new HashSet<>();
            for (Future<List<String>> one : running) {
                assertThat(one.get()).isSorted();
                all.addAll(one.get());
            }
            assertThat(all).hasSize(80_000);
        } finally {
            threads.shutdownNow();
        }
    }
}
