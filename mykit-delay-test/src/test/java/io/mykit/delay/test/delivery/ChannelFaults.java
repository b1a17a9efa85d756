package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The common steps of tests of channels whose broker has a fault. */
final class ChannelFaults {
    static final Duration SEND_TIMEOUT = Duration.ofSeconds(3);
    /** On top of the send timeout, on a machine that is busy with other things. Less than another send timeout. */
    private static final Duration MARGIN = Duration.ofMillis(2500);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private ChannelFaults() {}

    /** Every message is unavailable, within the send timeout. */
    static void assertUnavailable(DeliveryChannel channel, String topic, int size, int bodyLength) {
        long before = System.nanoTime();
        List<Delivery> fates = channel.deliver(topic, Messages.batch(topic, size, bodyLength));
        Duration took = Duration.ofNanos(System.nanoTime() - before);

        assertThat(fates).hasSize(size).extracting(Delivery::kind).containsOnly(Delivery.Kind.UNAVAILABLE);
        assertThat(fates).extracting(Delivery::detail).doesNotContain("");
        assertThat(took).isLessThan(SEND_TIMEOUT.plus(MARGIN));
    }

    static void assertDelivered(DeliveryChannel channel, String topic) {
        assertThat(channel.deliver(topic, Messages.batch(topic, 5, 100))).containsOnly(Delivery.DELIVERED);
    }

    static void awaitDelivered(DeliveryChannel channel, String topic) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> channel.deliver(topic, Messages.batch(topic, 2, 100)).stream()
                        .allMatch(Delivery.DELIVERED::equals));
    }

    /** Within a second, or some more on a busy machine, where a broker that is well may take longer than that. */
    static void assertHealth(DeliveryChannel channel, boolean up) {
        long before = System.nanoTime();
        boolean told = channel.health().up();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(SEND_TIMEOUT);
        if (up) {
            awaitUp(channel);
        } else {
            assertThat(told).isFalse();
        }
    }

    static void awaitUp(DeliveryChannel channel) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> channel.health()
                .up());
    }

    /** Waits for a reason with all these words: on a busy machine the first ones may tell of no more than an end of time. */
    static void awaitTold(Callable<String> reason, String... words) {
        Awaitility.await().atMost(PATIENCE).until(reason, text -> Stream.of(words)
                .allMatch(text::contains));
    }

    static void awaitNoThreadsBesides(Set<Thread> before) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !thread.getName().startsWith("awaitility"))
                .filteredOn(thread -> !before.contains(thread))
                .isEmpty());
    }
}
