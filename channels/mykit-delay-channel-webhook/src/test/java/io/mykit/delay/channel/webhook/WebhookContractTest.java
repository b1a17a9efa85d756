package io.mykit.delay.channel.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.HeaderNames;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.test.message.ExtrasBuilder;
import java.net.URLDecoder;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The suite that every channel passes, with the URL of the section. One request at a time keeps the order. */
class WebhookContractTest extends DeliveryChannelContract {
    private static TestReceiver receiver;

    @BeforeAll
    static void start() {
        receiver = TestReceiver.answering(204);
    }

    @AfterAll
    static void stop() {
        receiver.close();
    }

    @Override
    protected DeliveryChannel open() {
        return new WebhookChannelFactory().open(TestChannels.settings("url", receiver.url(), "per-host", "1"));
    }

    @Override
    protected Inbox inbox(String topic) {
        return new Inbox() {
            @Override
            public List<Arrival> arrivals() {
                return receiver.requests().stream()
                        .filter(got -> got.header("mykit-delay-topic").equals(topic))
                        .map(WebhookContractTest::arrival)
                        .toList();
            }

            @Override
            public void close() {
                // The receiver keeps the requests of all topics.
            }
        };
    }

    @Override
    protected HeaderNames headerNames() {
        return HeaderNames.AS_HTTP;
    }

    @Override
    protected Optional<DelayMessage> undeliverable(String topic) {
        MessageExtras toNowhere =
                ExtrasBuilder.extras().target(Map.of("url", "ftp://x")).build();
        return Optional.of(Messages.batch(topic, 1, 10).get(0).withExtras(toNowhere));
    }

    private static Arrival arrival(TestReceiver.Got got) {
        return new Arrival(
                decoded(got, "id"),
                decoded(got, "subtopic"),
                decoded(got, "biz-key"),
                Long.parseLong(decoded(got, "due-time")),
                got.body().toString(UTF_8),
                0,
                headers(got));
    }

    /** The server of the JDK writes names in a case of its own. */
    private static Map<String, Object> headers(TestReceiver.Got got) {
        Map<String, Object> headers = new HashMap<>();
        got.headers().forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
        return headers;
    }

    private static String decoded(TestReceiver.Got got, String name) {
        String value = got.header("mykit-delay-" + name);
        // URLDecoder reads a plus as a blank, and a header may have one.
        return value == null ? "" : URLDecoder.decode(value.replace("+", "%2B"), UTF_8);
    }
}
