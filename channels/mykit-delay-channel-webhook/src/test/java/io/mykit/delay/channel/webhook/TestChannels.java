package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.test.message.ExtrasBuilder;
import io.mykit.delay.test.message.MessageBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Opens channels with settings, and makes messages for them. */
final class TestChannels {
    static final Instant NOW = Instant.ofEpochSecond(1_800_000_000L);
    static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final long DUE_MS = 1_799_999_940_000L;

    private TestChannels() {}

    /** Keys and values in turn. */
    static AsyncDeliveryChannel open(String... settings) {
        return open(HostResolver.OF_JVM, settings);
    }

    static AsyncDeliveryChannel open(HostResolver resolver, String... settings) {
        return (AsyncDeliveryChannel) WebhookChannelFactory.open(settings(settings), () -> NOW, resolver);
    }

    static ChannelSettings settings(String... settings) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            given.put(settings[i], settings[i + 1]);
        }
        return ChannelSettings.of("webhook", WebhookSettings.keys(), given, Duration.ofSeconds(10));
    }

    static DelayMessage message(String id) {
        return MessageBuilder.withId(id)
                .topic("callbacks")
                .subtopic("sub")
                .bizKey("biz 7")
                .body("{\"order\":7}")
                .created(DUE_MS)
                .build();
    }

    static DelayMessage toTarget(String id, String... target) {
        Map<String, String> named = new TreeMap<>();
        for (int i = 0; i < target.length; i += 2) {
            named.put(target[i], target[i + 1]);
        }
        return message(id).withExtras(ExtrasBuilder.extras().target(named).build());
    }

    static DelayMessage withHeaders(DelayMessage message, Map<String, String> headers) {
        return message.withExtras(ExtrasBuilder.extras()
                .binary(message.extras().binary())
                .headers(headers)
                .target(message.extras().target())
                .build());
    }

    /** Sends one message as the second of eight attempts, and waits for its fate. */
    static Delivery send(AsyncDeliveryChannel channel, DelayMessage message) throws Exception {
        return channel.send(message.topic(), List.of(new Outgoing(message, 2, 8)))
                .get(0)
                .get(20, TimeUnit.SECONDS);
    }
}
