package io.mykit.delay.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaterTest {
    private final Later later = new Later();
    private final AtomicInteger runs = new AtomicInteger();

    @AfterEach
    void close() {
        later.close();
    }

    @Test
    void taskThatFailsRunsAgain() {
        later.run(0, () -> {
            if (runs.incrementAndGet() == 1) {
                throw new OutOfMemoryError("in a test");
            }
        });
        await().until(() -> runs.get() == 2);
    }

    @Test
    void nothingRunsAfterTheClose() {
        later.run(TimeUnit.MILLISECONDS.toNanos(500), runs::incrementAndGet);
        later.close();
        later.run(0, runs::incrementAndGet);
        await().during(700, TimeUnit.MILLISECONDS).until(() -> runs.get() == 0);
        assertThat(runs).hasValue(0);
    }
}
