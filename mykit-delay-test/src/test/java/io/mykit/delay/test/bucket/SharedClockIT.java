package io.mykit.delay.test.bucket;

import static io.mykit.delay.test.bucket.Messages.idsIn;
import static io.mykit.delay.test.bucket.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.queue.bucket.Handover;
import io.mykit.delay.queue.bucket.MessageIndex;
import io.mykit.delay.queue.bucket.OwnedBucket;
import io.mykit.delay.test.fault.network.TcpProxy;
import io.mykit.delay.test.fault.network.Weather;
import io.mykit.delay.test.server.SharedServers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The time that nodes take from a real Redis, which goes by this machine's clock. */
class SharedClockIT {
    private static final int LIMIT = 100;

    @Test
    void overASlowWireTheClockIsNeverBehind() throws Exception {
        ClusterClock clock = new ClusterClock();
        try (TcpProxy proxy = new TcpProxy(SharedServers.redis().port())) {
            // A fifth of a second each way, from the first sample on.
            proxy.become(Weather.SLOW);
            try (MessageIndex index = open(through(proxy), clock, "slow")) {
                await().until(clock::isSampled);
                for (int i = 0; i < 100; i++) {
                    // A message with a delay of 1 s, pushed through this node, is due then.
                    long pushedMs = System.currentTimeMillis();
                    assertThat(clock.millis() + 1_000)
                            .as("due, by %s", index.check())
                            .isGreaterThanOrEqualTo(pushedMs + 1_000);
                    TimeUnit.MILLISECONDS.sleep(20);
                }
            }
        }
    }

    /** As after a failover to a host whose clock is half a minute ahead. */
    @Test
    void aClockThatJumpsAheadMakesNothingEarly() {
        ClusterClock clock = new ClusterClock();
        long beforeMs = System.currentTimeMillis() - 30_000;
        clock.sample(beforeMs * 1_000, clock.nanos());
        try (MessageIndex index = open(SharedServers.redis().uri(), clock, "jumped")) {
            assertThat(clock.jumps().behind()).isCloseTo(Duration.ofSeconds(30), Duration.ofSeconds(5));
            assertThat(clock.jumps().check().up()).isFalse();
            assertThat(index.timeMs())
                    .as("due times are judged by the time before")
                    .isLessThan(beforeMs + 25_000);
            OwnedBucket owner = index.claim(0, 1);
            long dueMs = index.timeMs() + 1_000;
            index.schedule(List.of(message(idsIn(index, 0, 1).get(0), "t", dueMs)));
            await().pollInterval(Duration.ofMillis(5)).until(() -> {
                long earliestMs = index.timeMs();
                int moved = owner.moveDue(LIMIT, Handover.NONE).moved();
                long latestMs = index.timeMs();
                if (moved == 0) {
                    assertThat(earliestMs).as("not late").isLessThanOrEqualTo(dueMs);
                } else {
                    assertThat(latestMs)
                            .as("not early by more than the tolerance")
                            .isGreaterThanOrEqualTo(dueMs - ClusterClock.TOLERANCE.toMillis());
                }
                return moved == 1;
            });
            assertThat(owner.nextDue()).isEqualTo(-1);
        }
    }

    private static String through(TcpProxy proxy) {
        return proxy.through(SharedServers.redis().uri());
    }

    private static MessageIndex open(String uri, ClusterClock clock, String name) {
        return new IndexSettings(uri, "clock-" + name + "-" + System.nanoTime()).open(clock);
    }
}
