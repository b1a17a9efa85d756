package io.mykit.delay.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class DrainTest {
    private final AtomicInteger announced = new AtomicInteger();
    private final AtomicInteger awaited = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();

    @Test
    void waitsForWhatIsLeftOfThePeriod() {
        Drain drain = drain(Duration.ofMillis(200));
        long begin = System.nanoTime();
        drain.begin();
        assertThat(announced).hasValue(1);
        drain.close();
        assertThat(awaited).hasValue(1);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(200));
        drain.close();
    }

    @Test
    void withoutABeginningOrAPeriodItWaitsForNothing() {
        drain(Duration.ofDays(1)).close();
        assertThat(announced).hasValue(0);
        assertThat(awaited).hasValue(0);
        Drain none = drain(Duration.ZERO);
        none.begin();
        none.close();
        assertThat(announced).hasValue(1);
    }

    @Test
    void aSecondSignalCutsItShort() throws Exception {
        Drain drain = drain(Duration.ofDays(1));
        drain.begin();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(drain::close);
        drain.cut();
        closing.get(20, TimeUnit.SECONDS);
        assertThat(cut).hasValue(1);
    }

    private Drain drain(Duration period) {
        return new Drain(() -> period, announced::incrementAndGet, awaited::incrementAndGet, cut::incrementAndGet);
    }
}
