package io.mykit.delay.channel.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toMap;

import io.grpc.Status;
import io.mykit.delay.channel.DeliveryChannel;
import io.mykit.delay.channel.contract.Arrival;
import io.mykit.delay.channel.contract.DeliveryChannelContract;
import io.mykit.delay.channel.contract.HeaderNames;
import io.mykit.delay.channel.contract.Inbox;
import io.mykit.delay.channel.contract.Messages;
import io.mykit.delay.common.message.DelayMessage;
import io.mykit.delay.common.message.MessageExtras;
import io.mykit.delay.common.message.RetryOptions;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The suite that every channel passes, with the host of the section. One call at a time keeps the order. */
class GrpcContractTest extends DeliveryChannelContract {
    private static CallServer server;

    @BeforeAll
    static void start() {
        server = CallServer.answering(Status.OK);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected DeliveryChannel open() {
        return TestChannels.openFor(server.host(), "per-host", "1");
    }

    @Override
    protected Inbox inbox(String topic) {
        return new Inbox() {
            @Override
            public List<Arrival> arrivals() {
                return server.calls().stream()
                        .filter(got -> got.header("mykit-delay-topic").equals(topic))
                        .map(GrpcContractTest::arrival)
                        .toList();
            }

            @Override
            public void close() {
                // The server keeps the calls of all topics.
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
                new MessageExtras(false, Map.of(), RetryOptions.NONE, 0, Map.of("host", "nowhere"), 0);
        return Optional.of(Messages.batch(topic, 1, 10).get(0).withExtras(toNowhere));
    }

    private static Arrival arrival(CallServer.Got got) {
        return new Arrival(
                decoded(got, "id"),
                decoded(got, "subtopic"),
                decoded(got, "biz-key"),
                Long.parseLong(decoded(got, "due-time")),
                got.body().toString(),
                0,
                got.headers().keys().stream().collect(toMap(name -> name, got::header)));
    }

    private static String decoded(CallServer.Got got, String name) {
        String value = got.header("mykit-delay-" + name);
        // URLDecoder reads a plus as a blank, and metadata may have one.
        return value == null ? "" : URLDecoder.decode(value.replace("+", "%2B"), UTF_8);
    }
}
