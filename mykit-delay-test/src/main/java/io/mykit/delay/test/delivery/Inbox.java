package io.mykit.delay.test.delivery;

import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** Collects what arrives on one topic, from before the inbox was opened where the broker keeps it. Thread-safe. */
public interface Inbox extends AutoCloseable {
    /** What arrived so far, in the order of arrival. */
    List<Arrival> arrivals();

    @Override
    void close();

    /** Waits until at least {@code count} have arrived. */
    default List<Arrival> await(int count, Duration timeout) {
        Awaitility.await()
                .atMost(timeout)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> arrivals().size() >= count);
        return arrivals();
    }

    /** Waits for exactly {@code count}, and that for a moment nothing more comes. */
    default List<Arrival> awaitExactly(int count, Duration timeout) {
        await(count, timeout);
        Awaitility.await()
                .during(Duration.ofMillis(300))
                .atMost(Duration.ofMillis(1500))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> arrivals().size() == count);
        return arrivals();
    }
}
