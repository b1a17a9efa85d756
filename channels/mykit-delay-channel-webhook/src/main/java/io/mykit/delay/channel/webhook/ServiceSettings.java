package io.mykit.delay.channel.webhook;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.service.DnsEndpoints;
import io.mykit.delay.channel.hosts.service.DnsPlace;
import io.mykit.delay.channel.hosts.service.EndpointResolver;
import io.mykit.delay.channel.hosts.service.EurekaEndpoints;
import io.mykit.delay.channel.hosts.service.HttpGet;
import io.mykit.delay.channel.hosts.service.Services;
import io.mykit.delay.channel.hosts.service.StaticEndpoints;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The keys of the section that say where services are. Immutable. */
final class ServiceSettings {
    private static final ChannelKey<String> SERVICES = ChannelKey.text(
            "services",
            "Services and their instances, with commas between the services and blanks between the instances:"
                    + " shop=http://10.0.0.7:8080 http://10.0.0.8:8080, stock=https://stock.internal. The registry is not"
                    + " asked for them.");
    private static final ChannelKey<Discovery> DISCOVERY = ChannelKey.word(
                    Discovery.class, "discovery", "The registry of all other services: none, dns or eureka.")
            .withDefault("none");
    private static final ChannelKey<Secret> EUREKA_URL = ChannelKey.secret(
            "eureka-url",
            "The servers of Eureka, with commas between: http://eureka-1:8761/eureka. An account is"
                    + " http://user:password@eureka-1:8761/eureka. Logs do not show the value.");
    private static final ChannelKey<String> DNS_DOMAIN = ChannelKey.text(
            "dns-domain",
            "The domain of services: service.consul for shop.service.consul. Empty = the name of the service is the whole"
                    + " name.");
    private static final ChannelKey<Integer> DNS_PORT = ChannelKey.number(
            "dns-port",
            "The port of all instances, whose addresses are the A and AAAA records of the name. Empty = SRV records, which"
                    + " have ports: _http._tcp.shop.service.consul, with dns-tls _https._tcp.");
    private static final ChannelKey<Boolean> DNS_TLS = ChannelKey.truth(
                    "dns-tls", "Whether the instances that DNS knows take https.")
            .withDefault("false");
    private static final ChannelKey<String> DNS_SERVER = ChannelKey.text(
            "dns-server", "The server of DNS, an address and a port: 127.0.0.1:8600. Empty = those of the system.");

    private static final int MAX_PORT = 65_535;

    private final ChannelSettings settings;

    ServiceSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        return List.of(SERVICES, DISCOVERY, EUREKA_URL, DNS_DOMAIN, DNS_PORT, DNS_TLS, DNS_SERVER);
    }

    /**
     * @param urlKey the key of the URLs, which may name services
     */
    void check(ChannelProblems problems, ChannelKey<String> urlKey) {
        Optional<StaticEndpoints> configured = readable(problems, SERVICES, this::configured);
        if (settings.get(DISCOVERY) == Discovery.EUREKA
                && settings.find(EUREKA_URL).isEmpty()) {
            problems.add(EUREKA_URL, "is needed because webhook.discovery is eureka");
        }
        settings.find(EUREKA_URL).ifPresent(urls -> readable(problems, EUREKA_URL, () -> checked(urls)));
        settings.find(DNS_DOMAIN).ifPresent(domain -> readable(problems, DNS_DOMAIN, () -> checkedDomain(domain)));
        settings.find(DNS_SERVER).ifPresent(server -> readable(problems, DNS_SERVER, () -> DnsPlace.server(server)));
        settings.find(DNS_PORT)
                .filter(port -> port < 1 || port > MAX_PORT)
                .ifPresent(port -> problems.add(DNS_PORT, "must be from 1 to " + MAX_PORT));
        configured.ifPresent(known -> {
            settings.find(urlKey).ifPresent(url -> named(url, known, why -> problems.add(urlKey, why)));
            settings.byTopic(urlKey)
                    .own()
                    .forEach((topic, url) -> named(url, known, why -> problems.add(urlKey, topic, why)));
        });
    }

    /**
     * @param timeout of a question to a server of DNS
     */
    Services open(HttpGet http, Duration timeout) {
        return new Services(configured(), discovery(http, timeout), System::nanoTime);
    }

    private Optional<EndpointResolver> discovery(HttpGet http, Duration timeout) {
        return switch (settings.get(DISCOVERY)) {
            case NONE -> Optional.empty();
            case EUREKA ->
                Optional.of(EurekaEndpoints.of(settings.get(EUREKA_URL).reveal(), http));
            case DNS ->
                Optional.of(new DnsEndpoints(
                        new DnsPlace(
                                settings.find(DNS_DOMAIN).orElse(""),
                                settings.find(DNS_PORT),
                                settings.get(DNS_TLS),
                                settings.find(DNS_SERVER).map(DnsPlace::server)),
                        timeout));
        };
    }

    private StaticEndpoints configured() {
        return StaticEndpoints.of(settings.find(SERVICES).orElse(""));
    }

    /** Finds a URL of a service that no key knows. */
    private void named(String url, StaticEndpoints known, Consumer<String> problem) {
        try {
            Destination destination = Destination.of(url);
            if (destination.isService()
                    && settings.get(DISCOVERY) == Discovery.NONE
                    && !known.has(destination.host())) {
                problem.accept("has the service " + destination.host()
                        + ", which webhook.services does not have, and webhook.discovery is none");
            }
        } catch (IllegalArgumentException e) {
            // Another check has found the fault of the URL.
        }
    }

    private static Secret checked(Secret urls) {
        EurekaEndpoints.check(urls.reveal());
        return urls;
    }

    private static Destination checkedDomain(String domain) {
        return Optional.of(Destination.of(false, domain, 1))
                .filter(named -> named.address().isEmpty())
                .orElseThrow(() -> new IllegalArgumentException("must be a name and no address"));
    }

    private static <T> Optional<T> readable(ChannelProblems problems, ChannelKey<?> key, Supplier<T> read) {
        try {
            return Optional.of(read.get());
        } catch (IllegalArgumentException e) {
            problems.add(key, e.getMessage());
            return Optional.empty();
        }
    }

    /** The registries. */
    enum Discovery {
        NONE,
        DNS,
        EUREKA
    }
}
