package io.mykit.delay.channel.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Collects the messages of one topic. If the broker keeps messages, it includes those that arrived before the inbox was
 * opened. Thread-safe.
 */
public interface Inbox extends AutoCloseable {
    /** The messages so far, in the order of arrival. */
    List<Arrival> arrivals();

    @Override
    void close();

    /** Waits until at least {@code count} messages have arrived. */
    default List<Arrival> await(int count, Duration timeout) {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (arrivals().size() < count && System.nanoTime() < deadlineNanos) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
        List<Arrival> arrived = arrivals();
        assertThat(arrived.size()).as("messages after %s", timeout).isGreaterThanOrEqualTo(count);
        return arrived;
    }

    /**
     * Waits until exactly {@code count} messages have arrived, and then a moment longer to see that no further one comes.
     */
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
