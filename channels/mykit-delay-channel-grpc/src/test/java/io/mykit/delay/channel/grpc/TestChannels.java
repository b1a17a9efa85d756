package io.mykit.delay.channel.grpc;

import io.mykit.delay.channel.AsyncDeliveryChannel;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.HostResolver;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Opens channels with settings, and makes messages for them. */
final class TestChannels {
    private static final long DUE_MS = 1_799_999_940_000L;

    private TestChannels() {}

    /** Keys and values in turn. */
    static AsyncDeliveryChannel open(String... settings) {
        return open(HostResolver.OF_JVM, settings);
    }

    static AsyncDeliveryChannel open(HostResolver resolver, String... settings) {
        return (AsyncDeliveryChannel) GrpcChannelFactory.open(settings(settings), resolver);
    }

    /** A channel whose topics all call one method of a host. */
    static AsyncDeliveryChannel openFor(String host, String... more) {
        String[] settings = new String[6 + more.length];
        System.arraycopy(new String[] {"host", host, "service", "shop.Orders", "method", "Cancel"}, 0, settings, 0, 6);
        System.arraycopy(more, 0, settings, 6, more.length);
        return open(settings);
    }

    static ChannelSettings settings(String... settings) {
        return ChannelSettings.of("grpc", GrpcSettings.keys(), map(settings), Duration.ofSeconds(10));
    }

    static DelayMessage message(String id) {
        return new DelayMessage(id, "calls", "sub", "biz 7", "{\"order\":7}", 0, DUE_MS, DUE_MS, 0, 0);
    }

    static DelayMessage toTarget(String id, String... target) {
        return message(id).withExtras(new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, map(target), 0));
    }

    static DelayMessage toMethod(String id, String host, String method) {
        return toTarget(id, "host", host, "service", "shop.Orders", "method", method);
    }

    static DelayMessage withHeaders(DelayMessage message, String... headers) {
        return message.withExtras(new MessageExtras(
                false, map(headers), RetryOptions.NONE, 0, message.extras().target(), 0));
    }

    /** Sends one message as the second of eight attempts, and waits for its fate. */
    static Delivery send(AsyncDeliveryChannel channel, DelayMessage message) throws Exception {
        return channel.send(message.topic(), List.of(new Outgoing(message, 2, 8)))
                .get(0)
                .get(20, TimeUnit.SECONDS);
    }

    private static Map<String, String> map(String... pairs) {
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return map;
    }
}
