package io.mykit.delay.test.bridge;

import static io.mykit.delay.common.message.MessageStatus.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.queue.operator.DeadOrder;
import io.mykit.delay.queue.operator.Pace;
import io.mykit.delay.queue.store.DeadQuery;
import io.mykit.delay.test.bridge.ScriptedChannel.Arrival;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rate and the concurrency of a topic. */
@Tag("long")
class LimitsIT extends BridgeFixture {
    private static final int RATE = 50;
    private static final int CONCURRENCY = 2;
    /**
     * On a busy machine the delivering thread may stand still between the token and the arrival. A second bucket of tokens
     * would be twice as much; {@code TokenBucketTest} and {@code LimitedDispatchTest} are exact.
     */
    private static final double STANDSTILL_MS = 500;

    @Override
    protected Map<String, String> settings() {
        Map<String, String> settings = super.settings();
        settings.put("mykit.delay.delivery.policy.rated/*.rate", Integer.toString(RATE));
        settings.put("mykit.delay.delivery.policy.narrow.concurrency", Integer.toString(CONCURRENCY));
        settings.put("mykit.delay.delivery.policy.rated/*.max-attempts", "1");
        return settings;
    }

    @Test
    void dueMessagesArriveAtTheRateAndHoldUpNoOtherTopic() throws Exception {
        bridge.lead(1);
        long delayMs = 3_000;
        bridge.pushTogether(200, i -> bridge.message("r" + i, "rated/a", delayMs));
        bridge.pushTogether(200, i -> bridge.message("f" + i, "free", delayMs));
        await().atMost(Duration.ofSeconds(30))
                .until(() -> bridge.channel().arrivals().size() == 400);
        List<Arrival> rated = arrivals("rated/a");
        assertRateIsKept(rated);
        List<Arrival> free = arrivals("free");
        assertThat(free.get(199).atMs()).isLessThan(rated.get(199).atMs());
        assertIndexEmpty();
    }

    @Test
    void respawnedMessagesObeyTheRate() throws Exception {
        bridge.channel().script("rated/b", message -> Delivery.refused("no"));
        bridge.lead(1);
        bridge.pushTogether(100, i -> bridge.message("d" + i, "rated/b", 0));
        for (int i = 0; i < 100; i++) {
            awaitStatus("d" + i, FAILED);
        }
        bridge.channel().heal("rated/b");
        DeadOrder order = new DeadOrder("rated/b", false, DeadQuery.ALL, 1000, false);
        assertThat(bridge.operators().respawn(order, Pace.AT_ONCE).changed()).isEqualTo(100);
        await().atMost(Duration.ofSeconds(30)).until(() -> arrivals("rated/b").size() == 100);
        assertRateIsKept(arrivals("rated/b"));
    }

    @Test
    void atMostSoManyMessagesAreDeliveredAtTheSameTime() throws Exception {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        bridge.channel().script("narrow", message -> {
            most.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            inFlight.decrementAndGet();
            return Delivery.DELIVERED;
        });
        bridge.lead(1);
        bridge.pushTogether(100, i -> bridge.message("n" + i, "narrow", 500));
        await().atMost(Duration.ofSeconds(30)).until(() -> arrivals("narrow").size() == 100);
        assertThat(most.get()).isLessThanOrEqualTo(CONCURRENCY);
        assertThat(bridge.channel().attempts("narrow")).allMatch(batch -> batch.size() <= CONCURRENCY);
        assertIndexEmpty();
    }

    private List<Arrival> arrivals(String topic) {
        return bridge.channel().arrivals().stream()
                .filter(arrival -> arrival.message().topic().equals(topic))
                .toList();
    }

    private static void assertRateIsKept(List<Arrival> arrivals) {
        for (int from = 0; from < arrivals.size(); from++) {
            for (int to = from; to < arrivals.size(); to++) {
                double ms = arrivals.get(to).atMs() - arrivals.get(from).atMs() + STANDSTILL_MS;
                assertThat(to - from + 1.0)
                        .as("arrivals %d to %d", from, to)
                        .isLessThanOrEqualTo(RATE + RATE * ms / 1000);
            }
        }
    }
}
