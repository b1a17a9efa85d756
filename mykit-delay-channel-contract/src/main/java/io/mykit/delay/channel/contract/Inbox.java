package io.mykit.delay.channel.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Collects what arrives on one topic, from before the inbox was opened where the broker keeps it. Thread-safe. */
public interface Inbox extends AutoCloseable {
    /** What arrived so far, in the order of arrival. */
    List<Arrival> arrivals();

    @Override
    void close();

    /** Waits until at least {@code count} have arrived. */
    default List<Arrival> await(int count, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (arrivals().size() < count && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        List<Arrival> arrived = arrivals();
        assertThat(arrived.size()).as("messages after %s", timeout).isGreaterThanOrEqualTo(count);
        return arrived;
    }

    /** Waits for exactly {@code count}, and that for a moment nothing more comes. */
    default List<Arrival> awaitExactly(int count, Duration timeout) {
        await(count, timeout);
        long quietNanos = System.nanoTime() + Duration.ofMillis(300).toNanos();
        while (System.nanoTime() < quietNanos) {
            assertThat(arrivals()).hasSize(count);
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
        return arrivals();
    }
}
