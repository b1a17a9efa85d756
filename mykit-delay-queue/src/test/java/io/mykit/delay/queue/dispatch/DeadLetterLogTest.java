package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadLetterLogTest {
    private final AtomicLong nanos = new AtomicLong();
    private final DeadLetterLog log = new DeadLetterLog(nanos::get);

    @Test
    void aTopicHasOneLineAMinute() {
        assertThat(log.line("orders", "1", "HTTP 410"))
                .contains("Message 1 of topic orders is a dead letter: HTTP 410. /dead/respawn puts it back");
        for (int i = 2; i < 200; i++) {
            assertThat(log.line("orders", "" + i, "HTTP 410")).isEmpty();
        }
        assertThat(log.line("other", "1", "HTTP 410")).isPresent();
        nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
        assertThat(log.line("orders", "200", "HTTP 404"))
                .contains("199 more messages of topic orders are dead letters, the last one is 200: HTTP 404."
                        + " /dead lists them");
    }
}
