package io.mykit.delay.channel.webhook;

import static io.mykit.delay.channel.webhook.TestChannels.open;
import static io.mykit.delay.channel.webhook.TestChannels.send;
import static io.mykit.delay.channel.webhook.TestChannels.toTarget;
import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.MessageBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** URLs and secrets that a topic has for itself. */
class WebhookTopicsTest {
    private static final String OTHER = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

    @Test
    void eachTopicHasItsUrl() throws Exception {
        try (TestReceiver all = TestReceiver.answering(200);
                TestReceiver orders = TestReceiver.answering(200);
                TestReceiver shops = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        "url", all.url(), "topics.orders.url", orders.url(), "topics.\"shop/*\".url", shops.url())) {
            for (String topic : List.of("orders", "shop/a", "shop/b", "other")) {
                assertThat(send(channel, of(topic))).isEqualTo(Delivery.DELIVERED);
            }
            assertThat(topics(orders)).containsExactly("orders");
            assertThat(topics(shops)).containsExactly("shop/a", "shop/b");
            assertThat(topics(all)).containsExactly("other");
        }
    }

    @Test
    void eachTopicHasItsSecret() throws Exception {
        try (TestReceiver receiver = TestReceiver.answering(200);
                AsyncDeliveryChannel channel = open(
                        "url",
                        receiver.url(),
                        "targets",
                        "http://127.0.0.0/8",
                        "secret",
                        TestChannels.SECRET,
                        "topics.orders.secret",
                        OTHER)) {
            send(channel, of("callbacks"));
            send(channel, of("orders"));
            send(
                    channel,
                    of("orders")
                            .withExtras(toTarget("20", "url", receiver.url()).extras()));

            byte[] body = receiver.requests().get(0).body().getBytes();
            String own = Signature.of(OTHER).sign("20", 1_800_000_000L, body).orElseThrow();
            String shared = Signature.of(TestChannels.SECRET)
                    .sign("20", 1_800_000_000L, body)
                    .orElseThrow();
            assertThat(receiver.requests())
                    .extracting(got -> got.header("webhook-signature"))
                    .containsExactly(shared, own, own);
        }
    }

    /** The URL is the operator's, like that of the section: the guard does not apply, and an outage is the topic's. */
    @Test
    void anOutageOfTheUrlOfATopicIsTheTopics() throws Exception {
        try (TestReceiver busy = TestReceiver.answering(503, "retry-after", "7");
                AsyncDeliveryChannel channel = open(
                        "topics.gone.url", ClosedPorts.url(), "topics.busy.url", busy.url(), "circuit-failures", "1")) {
            for (int i = 0; i < 2; i++) {
                assertThat(send(channel, of("gone")).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
                assertThat(send(channel, of("busy")).kind()).isEqualTo(Delivery.Kind.UNAVAILABLE);
            }
        }
    }

    @Test
    void aTopicWithoutAUrlNeedsATarget() {
        try (AsyncDeliveryChannel channel = open("topics.orders.url", "https://a.com/")) {
            assertThat(channel.objection(of("orders"))).isEmpty();
            assertThat(channel.objection(of("other")))
                    .contains("target is missing, and neither webhook.url nor webhook.topics.other.url is configured");
        }
    }

    private static List<String> topics(TestReceiver receiver) {
        return receiver.requests().stream()
                .map(got -> got.header("mykit-delay-topic"))
                .toList();
    }

    private static DelayMessage of(String topic) {
        return MessageBuilder.withId("20").topic(topic).body("{}").build();
    }
}
