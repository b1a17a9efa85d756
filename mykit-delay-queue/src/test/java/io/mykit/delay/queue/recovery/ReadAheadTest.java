package io.mykit.delay.queue.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private final Queue<List<String>> source =
            new ConcurrentLinkedQueue<>(List.of(List.of("a"), List.of("b"), List.of("c")));
    private final Semaphore reads = new Semaphore(0);
    private final AtomicInteger threads = new AtomicInteger();

    @Test
    void readsOnePageAheadAndNotMore() throws Exception {
        ReadAhead<String> pages = new ReadAhead<>("test-read", this::read);
        assertThat(pages.next()).containsExactly("a");
        assertThat(reads.tryAcquire(2, 10, TimeUnit.SECONDS))
                .as("b is being read")
                .isTrue();
        assertThat(source).hasSize(1);
        assertThat(pages.next()).containsExactly("b");
        assertThat(pages.next()).containsExactly("c");
        assertThat(pages.next()).isEmpty();
        assertThat(pages.next()).isEmpty();
    }

    @Test
    void aPageThatCouldNotBeReadIsReadAgain() {
        Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>(List.of(new IllegalStateException("away")));
        ReadAhead<String> pages = new ReadAhead<>("test-read", () -> {
            RuntimeException failure = source.size() == 2 ? failures.poll() : null;
            if (failure != null) {
                throw failure;
            }
            return read();
        });
        assertThat(pages.next()).containsExactly("a");
        assertThatThrownBy(pages::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("away");
        assertThat(pages.next()).containsExactly("b");
        assertThat(pages.next()).containsExactly("c");
        assertThat(pages.next()).isEmpty();
    }

    @Test
    void aThreadThatCannotBeStartedLosesNoPage() throws Exception {
        ReadAhead<String> pages = new ReadAhead<>(this::read, task -> {
            if (threads.incrementAndGet() == 2) {
                throw new OutOfMemoryError("in a test");
            }
            task.run();
        });
        assertThat(pages.next()).containsExactly("a");
        assertThat(pages.next()).containsExactly("b");
        assertThat(pages.next()).containsExactly("c");
        assertThat(pages.next()).isEmpty();
    }

    private List<String> read() {
        List<String> page = source.poll();
        reads.release();
        return page == null ? List.of() : page;
    }
}
