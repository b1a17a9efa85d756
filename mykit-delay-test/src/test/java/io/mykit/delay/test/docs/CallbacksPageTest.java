package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.webhook.WebhookChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.example.WebhookReceiver;
import io.mykit.delay.test.message.MessageBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The receiver on the page of callbacks is one that was compiled, and it tells genuine requests from others. */
class CallbacksPageTest {
    private static final String PAGE = "docs/callbacks.md";
    private static final String EXAMPLE =
            "mykit-delay-test/src/test/java/io/mykit/delay/test/example/WebhookReceiver.java";
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    @Test
    void theReceiverOnThePageIsTheExample() throws IOException {
        String source = Files.readString(Page.root().resolve(EXAMPLE)).replaceFirst("package .*;\n\n", "");
        assertThat(Page.of(PAGE).blocks()).contains(source);
    }

    @Test
    void theReceiverTakesGenuineRequestsOnly() throws Exception {
        int port = freePort();
        WebhookReceiver.main(new String[] {SECRET, Integer.toString(port)});
        String url = "http://127.0.0.1:" + port + "/hook";

        assertThat(deliver(Map.of("url", url, "secret", SECRET))).isEqualTo(Delivery.DELIVERED);
        assertThat(deliver(Map.of("url", url, "secret", SECRET.replace('M', 'N'))))
                .isEqualTo(Delivery.failed("HTTP 401"));
        assertThat(deliver(Map.of("url", url))).isEqualTo(Delivery.failed("HTTP 401"));
    }

    private static Delivery deliver(Map<String, String> given) {
        WebhookChannelFactory factory = new WebhookChannelFactory();
        ChannelSettings settings = ChannelSettings.of(factory.name(), factory.keys(), given, Duration.ofSeconds(10));
        DelayMessage message = MessageBuilder.withId("order.7")
                .topic("callbacks")
                .body("{\"order\":7}")
                .build();
        try (DeliveryChannel channel = factory.open(settings)) {
            return channel.deliver("callbacks", List.of(message)).get(0);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }
}
