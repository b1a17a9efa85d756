package io.mykit.delay.queue.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.HostAndPort;

class RestartsTest {
    private static final HostAndPort A = new HostAndPort("127.0.0.1", 1);
    private static final HostAndPort B = new HostAndPort("127.0.0.1", 2);

    private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 1);
    private final Restarts restarts = new Restarts(nanos::get);

    @Test
    void aServerThatIsSeenForTheFirstTimeWasNotRestarted() {
        restarts.connected(A, "a");
        restarts.connected(A, "a");
        restarts.connected(B, "b");
        assertThat(restarts.isRecent()).isFalse();
    }

    @Test
    void anotherProcessAtTheSameAddressIsARestartForSomeSeconds() {
        restarts.connected(A, "a");
        restarts.connected(B, "b");
        restarts.connected(A, "a2");
        assertThat(restarts.isRecent()).isTrue();
        pass(4);
        restarts.connected(A, "a2");
        assertThat(restarts.isRecent()).isTrue();
        pass(1);
        assertThat(restarts.isRecent()).isFalse();
    }

    @Test
    void aServerThatDoesNotReportItsProcessIsNeverSeenToRestart() {
        restarts.connected(A, "a");
        restarts.connected(A, "");
        restarts.connected(A, "a");
        assertThat(restarts.isRecent()).isFalse();
    }

    private void pass(int seconds) {
        nanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
