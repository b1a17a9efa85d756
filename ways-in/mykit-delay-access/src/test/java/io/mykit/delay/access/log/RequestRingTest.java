package io.mykit.delay.access.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RequestRingTest {
    @Test
    void keepsTheOrderAndRefusesWhatHasNoRoom() {
        RequestRing ring = new RequestRing(4);
        for (int status = 0; status < 4; status++) {
            assertThat(ring.offer(line(status))).isTrue();
        }
        assertThat(ring.offer(line(4))).isFalse();
        assertThat(ring.poll().status()).isZero();
        assertThat(ring.offer(line(4))).isTrue();
        for (int status = 1; status < 5; status++) {
            assertThat(ring.poll().status()).isEqualTo(status);
        }
        assertThat(ring.poll()).isNull();
    }

    @Test
    void eachAcceptedLineOfManyThreadsIsPolledOnce() throws InterruptedException {
        RequestRing ring = new RequestRing(64);
        AtomicInteger accepted = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(4);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            int first = thread * 20_000;
            threads.add(new Thread(() -> {
                for (int i = first; i < first + 20_000; i++) {
                    if (ring.offer(line(i))) {
                        accepted.incrementAndGet();
                    }
                }
                done.countDown();
            }));
        }
        threads.forEach(Thread::start);
        Set<Integer> polled = new HashSet<>();
        while (done.getCount() > 0 || polled.size() < accepted.get()) {
            RequestLine line = ring.poll();
            if (line != null) {
                assertThat(polled.add(line.status())).isTrue();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(polled).hasSize(accepted.get());
        assertThat(ring.poll()).isNull();
    }

    private static RequestLine line(int status) {
        return new RequestLine(
                "GET", "job", null, status, null, 1, 0, 0, "127.0.0.1", "anonymous", "1", null, null, null);
    }
}
