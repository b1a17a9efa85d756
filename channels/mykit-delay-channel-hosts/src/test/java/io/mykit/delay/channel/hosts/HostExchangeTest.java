package io.mykit.delay.channel.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.Delivery;
import io.mykit.delay.channel.Outgoing;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.common.message.DelayMessage;
import io.vertx.core.Future;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostExchangeTest {
    private static final HostKeys KEYS = new HostKeys("calls", Schemes.HTTP, "URLs");

    @Test
    void anAttemptThatCannotBeginLeavesItsPlace() {
        Hosts hosts = open();
        hosts.link().close();

        for (int i = 0; i < 2; i++) {
            HostExchange exchange = new Silent(hosts);
            hosts.places().enter(exchange);
            assertThat(exchange.fate()).isCompletedWithValueMatching(fate -> fate.kind() == Delivery.Kind.UNCLEAR);
            assertThat(hosts.places().inFlight()).isZero();
        }
        hosts.close();
    }

    private static Hosts open() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(KEYS.targets()));
        keys.addAll(KEYS.timeouts());
        keys.addAll(KEYS.bounds());
        keys.addAll(KEYS.registries());
        keys.addAll(KEYS.certificates());
        ChannelSettings settings = ChannelSettings.of("calls", keys, Map.of(), Duration.ofSeconds(10));
        return new HostSettings(KEYS, settings).open(HostResolver.OF_JVM, Protocol.HTTP);
    }

    /** Sends nothing. */
    private static final class Silent extends HostExchange {
        Silent(Hosts hosts) {
            super(
                    hosts,
                    new Outgoing(new DelayMessage("1", "calls", "", "", "", 0, 1, 1, 0, 0), 1, 8),
                    new Request(Destination.of("http://127.0.0.1:1/"), "POST", true));
        }

        @Override
        protected String method() {
            return request().form();
        }

        @Override
        protected Map<String, String> headers() {
            return Map.of();
        }

        @Override
        protected Future<HttpClientResponse> write(HttpClientRequest connected) {
            return connected.send();
        }

        @Override
        protected void answered(HttpClientResponse answer) {
            end(Delivery.DELIVERED);
        }
    }
}
