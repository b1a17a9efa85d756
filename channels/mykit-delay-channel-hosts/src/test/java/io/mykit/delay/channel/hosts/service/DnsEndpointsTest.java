package io.mykit.delay.channel.hosts.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against a DNS server over real sockets. */
class DnsEndpointsTest {
    private static final String SRV = "_http._tcp.shop.service.example.";

    private final StubDns dns = new StubDns();
    private EndpointResolver resolver;

    @AfterEach
    void close() throws Exception {
        if (resolver != null) {
            resolver.close();
            resolver.close();
        }
        dns.close();
    }

    @Test
    void theSrvRecordsOfTheBestPriorityAreInstances() throws Exception {
        dns.service(SRV, 1, 8080, "a.node.example", 20);
        dns.service(SRV, 1, 8081, "b.node.example", 7);
        dns.service(SRV, 2, 8082, "a.node.example", 1);
        dns.address("a.node.example.", "10.0.0.1", 60);
        dns.address("b.node.example.", "10.0.0.2", 60);

        Endpoints found = find(place("service.example", Optional.empty(), false));

        assertThat(found.freshFor()).isEqualTo(Duration.ofSeconds(7));
        assertThat(found.instances())
                .containsExactlyInAnyOrder(
                        at("a.node.example", 8080, "10.0.0.1"), at("b.node.example", 8081, "10.0.0.2"));
        assertThat(found.instances())
                .extracting(Destination::receiver)
                .contains("http://a.node.example:8080 (10.0.0.1)");
    }

    @Test
    void withTlsTheRecordsHaveAnotherName() throws Exception {
        dns.service("_https._tcp.shop.service.example.", 1, 8443, "a.node.example", 20);
        dns.address("a.node.example.", "10.0.0.1", 60);
        assertThat(find(place("service.example", Optional.empty(), true)).instances())
                .singleElement()
                .satisfies(instance -> assertThat(instance.tls()).isTrue());
    }

    @Test
    void withAPortEachAddressIsAnInstance() throws Exception {
        dns.address("shop.service.example.", "10.0.0.1", 60);
        dns.address("shop.service.example.", "10.0.0.2", 60);
        assertThat(find(place("service.example", Optional.of(8080), false)).instances())
                .containsExactlyInAnyOrder(
                        at("shop.service.example", 8080, "10.0.0.1"), at("shop.service.example", 8080, "10.0.0.2"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aNameThatDnsDoesNotHaveHasNoInstances(boolean authoritative) throws Exception {
        if (authoritative) {
            dns.authoritative();
        }
        assertThat(find(place("service.example", Optional.empty(), false)).instances())
                .isEmpty();
        assertThat(find(place("service.example", Optional.of(80), false)).instances())
                .isEmpty();
        dns.address("_http._tcp.shop.service.example.", "10.0.0.1", 60);
        assertThat(find(place("service.example", Optional.empty(), false)).instances())
                .as("a name with records of another type")
                .isEmpty();
    }

    @Test
    void aTargetWithoutAddressesAndATargetThatIsNoneAreLeftOut() throws Exception {
        dns.service(SRV, 1, 8080, "gone.node.example", 20);
        dns.service(SRV, 1, 8080, "", 20);
        dns.service(SRV, 1, 0, "a.node.example", 20);
        dns.add(SRV, StubDns.SRV, 20, new byte[] {1, 2, 3});
        dns.service(SRV, 1, 8081, "a.node.example", 20);
        dns.address("a.node.example.", "10.0.0.1", 60);
        assertThat(find(place("service.example", Optional.empty(), false)).instances())
                .containsExactly(at("a.node.example", 8081, "10.0.0.1"));
    }

    @Test
    void aLongAnswerComesByTcp() throws Exception {
        dns.truncate();
        for (int i = 1; i <= 50; i++) {
            dns.service(SRV, 1, i, "a.node.example", 20);
        }
        dns.address("a.node.example.", "10.0.0.1", 60);
        assertThat(find(place("service.example", Optional.empty(), false)).instances())
                .hasSize(50);
    }

    @Test
    void aServerThatFailsOrIsSilentIsNoAnswer() {
        dns.status(2);
        assertThatThrownBy(() -> find(place("service.example", Optional.empty(), false)))
                .hasMessageContaining("DNS: ");
        dns.status(-1);
        assertThatThrownBy(() -> find(place("service.example", Optional.of(80), false), Duration.ofMillis(300)))
                .hasMessageContaining("DNS: ");
    }

    @Test
    void aNameThatDnsCannotHaveIsNoAnswer() {
        resolver = new DnsEndpoints(place("service.example", Optional.empty(), false), Duration.ofMillis(300));
        Services services = new Services(StaticEndpoints.of("", Schemes.HTTP), Optional.of(resolver), System::nanoTime);
        assertThatThrownBy(() ->
                        services.inTurn("x".repeat(90)).toCompletableFuture().get(20, TimeUnit.SECONDS))
                .hasRootCauseInstanceOf(IllegalArgumentException.class);
    }

    private Endpoints find(DnsPlace place) throws Exception {
        return find(place, Duration.ofSeconds(5));
    }

    private Endpoints find(DnsPlace place, Duration timeout) throws Exception {
        if (resolver != null) {
            resolver.close();
        }
        resolver = new DnsEndpoints(place, timeout);
        return resolver.find("shop").toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    private DnsPlace place(String domain, Optional<Integer> port, boolean tls) {
        return new DnsPlace(Schemes.HTTP, domain, port, tls, Optional.of(dns.address()));
    }

    private static Destination at(String host, int port, String address) throws Exception {
        return Destination.of(Schemes.HTTP, false, host, port).at(InetAddress.getByName(address));
    }
}
