package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.hosts.service.DnsEndpoints;
import io.mykit.delay.channel.hosts.service.DnsPlace;
import io.mykit.delay.channel.hosts.service.EndpointResolver;
import io.mykit.delay.channel.hosts.service.EurekaEndpoints;
import io.mykit.delay.channel.hosts.service.HttpGet;
import io.mykit.delay.channel.hosts.service.Services;
import io.mykit.delay.channel.hosts.service.StaticEndpoints;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The settings that say where services are. Immutable. */
final class ServiceSettings {
    private static final int MAX_PORT = 65_535;

    private final String channel;
    private final Schemes schemes;
    private final ServiceKeys keys;
    private final ChannelSettings settings;

    ServiceSettings(HostKeys keys, ChannelSettings settings) {
        this.channel = keys.channel();
        this.schemes = keys.schemes();
        this.keys = keys.services();
        this.settings = settings;
    }

    /**
     * @param destinationKey the key of the destinations of topics, which may name services
     * @param read fails with an IllegalArgumentException for a value that is no destination
     */
    void check(ChannelProblems problems, ChannelKey<String> destinationKey, Function<String, Destination> read) {
        Optional<StaticEndpoints> configured = readable(problems, keys.services, this::configured);
        if (settings.get(keys.discovery) == ServiceKeys.Discovery.EUREKA
                && settings.find(keys.eurekaUrl).isEmpty()) {
            problems.add(keys.eurekaUrl, "is needed because " + channel + ".discovery is eureka");
        }
        settings.find(keys.eurekaUrl).ifPresent(urls -> readable(problems, keys.eurekaUrl, () -> checked(urls)));
        settings.find(keys.dnsDomain)
                .ifPresent(domain -> readable(problems, keys.dnsDomain, () -> checkedDomain(domain)));
        settings.find(keys.dnsServer)
                .ifPresent(server -> readable(problems, keys.dnsServer, () -> DnsPlace.server(server)));
        settings.find(keys.dnsPort)
                .filter(port -> port < 1 || port > MAX_PORT)
                .ifPresent(port -> problems.add(keys.dnsPort, "must be from 1 to " + MAX_PORT));
        configured.ifPresent(known -> {
            settings.find(destinationKey)
                    .ifPresent(text -> named(text, read, known, why -> problems.add(destinationKey, why)));
            settings.byTopic(destinationKey)
                    .own()
                    .forEach(
                            (topic, text) -> named(text, read, known, why -> problems.add(destinationKey, topic, why)));
        });
    }

    /**
     * @param timeout of a question to a server of DNS
     */
    Services open(HttpGet http, Duration timeout) {
        return new Services(configured(), discovery(http, timeout), System::nanoTime);
    }

    private Optional<EndpointResolver> discovery(HttpGet http, Duration timeout) {
        return switch (settings.get(keys.discovery)) {
            case NONE -> Optional.empty();
            case EUREKA ->
                Optional.of(EurekaEndpoints.of(settings.get(keys.eurekaUrl).reveal(), http, schemes));
            case DNS ->
                Optional.of(new DnsEndpoints(
                        new DnsPlace(
                                schemes,
                                settings.find(keys.dnsDomain).orElse(""),
                                settings.find(keys.dnsPort),
                                settings.get(keys.dnsTls),
                                settings.find(keys.dnsServer).map(DnsPlace::server)),
                        timeout));
        };
    }

    private StaticEndpoints configured() {
        return StaticEndpoints.of(settings.find(keys.services).orElse(""), schemes);
    }

    /** Finds a destination with a service that no key knows. */
    private void named(
            String text, Function<String, Destination> read, StaticEndpoints known, Consumer<String> problem) {
        try {
            Destination destination = read.apply(text);
            if (destination.isService()
                    && settings.get(keys.discovery) == ServiceKeys.Discovery.NONE
                    && !known.has(destination.host())) {
                problem.accept("has the service " + destination.host() + ", which " + channel
                        + ".services does not have, and " + channel + ".discovery is none");
            }
        } catch (IllegalArgumentException e) {
            // Another check has found the fault of the text.
        }
    }

    private static Secret checked(Secret urls) {
        EurekaEndpoints.check(urls.reveal());
        return urls;
    }

    private static Destination checkedDomain(String domain) {
        return Optional.of(Destination.of(Schemes.HTTP, false, domain, 1))
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
}
