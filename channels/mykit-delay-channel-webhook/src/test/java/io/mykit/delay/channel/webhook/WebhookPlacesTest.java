package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.message;
import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.toTarget;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How many messages of a topic the channel takes. */
class WebhookPlacesTest {
    private static final int PER_HOST = 4;

    @Test
    void topicWithAUrlHasThePlacesOfItsHost() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        try (TestReceiver slow = new TestReceiver(exchange -> {
                    Latches.await(answer);
                    TestReceiver.answer(exchange, 200);
                });
                AsyncDeliveryChannel channel = open("url", slow.url(), "per-host", "4", "timeout", "1m")) {
            assertThat(channel.places("callbacks")).isEqualTo(2 * PER_HOST);
            List<CompletableFuture<Delivery>> fates = channel.send(
                    "callbacks",
                    IntStream.range(0, 2 * PER_HOST)
                            .mapToObj(i -> new Outgoing(message("m" + i), 1, 8))
                            .toList());
            assertThat(channel.places("callbacks")).isZero();
            assertThat(channel.places("another")).as("with the same host").isZero();
            answer.countDown();
            for (CompletableFuture<Delivery> fate : fates) {
                assertThat(fate.get(20, TimeUnit.SECONDS)).isEqualTo(Delivery.DELIVERED);
            }
            Awaitility.await().until(() -> channel.places("callbacks") >= 2 * PER_HOST);
        }
    }

    /** Their hosts may be others than a full one. */
    @Test
    void topicWithTargetsHasAsManyAsItWants() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel without = open("targets", "http://127.0.0.0/8");
                AsyncDeliveryChannel mixed = open("url", receiver.url(), "targets", "http://127.0.0.0/8")) {
            assertThat(without.places("callbacks")).isEqualTo(Integer.MAX_VALUE);
            String topic = toTarget("1", "url", receiver.url()).topic();
            assertThat(mixed.places(topic)).isLessThan(Integer.MAX_VALUE);
            assertThat(send(mixed, toTarget("1", "url", receiver.url()))).isEqualTo(Delivery.DELIVERED);
            assertThat(mixed.places(topic)).isEqualTo(Integer.MAX_VALUE);
        }
    }

    @Test
    void topicOfAServiceHasThePlacesOfItsInstances() throws Exception {
        try (TestReceiver one = TestReceiver.answering(200);
                TestReceiver two = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        "url",
                        "service://shop/x",
                        "services",
                        "shop=http://127.0.0.1:" + one.port() + " http://127.0.0.1:" + two.port(),
                        "per-host",
                        "4")) {
            assertThat(channel.places("callbacks")).as("not known yet").isEqualTo(Integer.MAX_VALUE);
            assertThat(send(channel, message("m"))).isEqualTo(Delivery.DELIVERED);
            Awaitility.await().until(() -> channel.places("callbacks") >= 4 * PER_HOST);
            assertThat(channel.places("callbacks")).isLessThan(Integer.MAX_VALUE);
        }
    }
}
