package io.mykit.delay.test.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Messages;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.awaitility.Awaitility;

/** The common steps of tests of channels whose broker has a fault. */
final class ChannelFaults {
    static final Duration SEND_TIMEOUT = Duration.ofSeconds(2);
    /** On top of the send timeout, on a machine that is busy with other things. */
    private static final Duration MARGIN = Duration.ofMillis(700);

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
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> channel.deliver(topic, Messages.batch(topic, 2, 100)).stream()
                        .allMatch(Delivery.DELIVERED::equals));
    }

    /** Within a second. */
    static void assertHealth(DeliveryChannel channel, boolean up) {
        long before = System.nanoTime();
        assertThat(channel.health().up()).isEqualTo(up);
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofMillis(1200));
    }

    static void awaitUp(DeliveryChannel channel) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> channel.health()
                .up());
    }

    static void awaitNoThreadsBesides(Set<Thread> before) {
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !thread.getName().startsWith("awaitility"))
                .filteredOn(thread -> !before.contains(thread))
                .isEmpty());
    }
}
