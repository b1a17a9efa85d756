package io.mykit.delay.test.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.webhook.WebhookChannelFactory;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.example.VerifiedReceiver;
import io.mykit.delay.test.message.MessageBuilder;
import io.mykit.delay.test.server.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The receiver on the page of the Java client is one that was compiled, and the client's verifier accepts what the channel
 * {@code webhook} signs. The tests of the client run the other programs of the page.
 */
class JavaClientPageTest {
    private static final String EXAMPLE =
            "mykit-delay-test/src/test/java/io/mykit/delay/test/example/VerifiedReceiver.java";
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OTHER = SECRET.replace('M', 'N');

    @ParameterizedTest
    @ValueSource(strings = {"docs/java-client.md", "docs/java-client.zh-CN.md"})
    void theReceiverOnThePageIsTheExample(String page) throws IOException {
        String source = Files.readString(Page.root().resolve(EXAMPLE)).replaceFirst("package .*;\n\n", "");
        assertThat(Page.of(page).blocks()).contains(source);
    }

    @Test
    void theVerifierAcceptsGenuineRequestsOnly() throws IOException {
        int port = FreePorts.next();
        VerifiedReceiver.main(new String[] {SECRET, Integer.toString(port)});
        String url = "http://127.0.0.1:" + port + "/hook";

        for (String id : List.of("20", "order.7", "訂單/7")) {
            assertThat(deliver(id, Map.of("url", url, "secret", SECRET))).isEqualTo(Delivery.DELIVERED);
            assertThat(deliver(id, Map.of("url", url, "secret", OTHER + " " + SECRET)))
                    .isEqualTo(Delivery.DELIVERED);
            assertThat(deliver(id, Map.of("url", url, "secret", OTHER))).isEqualTo(Delivery.failed("HTTP 401"));
            assertThat(deliver(id, Map.of("url", url))).isEqualTo(Delivery.failed("HTTP 401"));
        }
    }

    private static Delivery deliver(String id, Map<String, String> given) {
        WebhookChannelFactory factory = new WebhookChannelFactory();
        ChannelSettings settings = ChannelSettings.of(factory.name(), factory.keys(), given, Duration.ofSeconds(10));
        DelayMessage message = MessageBuilder.withId(id)
                .topic("callbacks")
                .body("{\"größe\":7}")
                .build();
        try (DeliveryChannel channel = factory.open(settings)) {
            return channel.deliver("callbacks", List.of(message)).get(0);
        }
    }
}
