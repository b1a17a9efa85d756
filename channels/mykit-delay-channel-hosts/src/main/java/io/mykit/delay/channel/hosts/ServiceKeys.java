package io.mykit.delay.channel.hosts;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.hosts.destination.Schemes;
import io.mykit.delay.channel.hosts.service.StaticEndpoints;
import io.mykit.delay.common.value.Secret;
import java.util.List;

/** The keys of a section that say where services are. Immutable. */
final class ServiceKeys {
    final ChannelKey<String> services;
    final ChannelKey<Discovery> discovery = ChannelKey.word(
                    Discovery.class, "discovery", "The registry of all other services: none, dns or eureka.")
            .withDefault("none");
    final ChannelKey<Secret> eurekaUrl = ChannelKey.secret(
            "eureka-url",
            "The servers of Eureka, with commas between: http://eureka-1:8761/eureka. An account is"
                    + " http://user:password@eureka-1:8761/eureka. Logs do not show the value.");
    final ChannelKey<String> dnsDomain = ChannelKey.text(
            "dns-domain",
            "The domain of services: service.consul for shop.service.consul. Empty = the name of the service is the whole"
                    + " name.");
    final ChannelKey<Integer> dnsPort;
    final ChannelKey<Boolean> dnsTls;
    final ChannelKey<String> dnsServer = ChannelKey.text(
            "dns-server", "The server of DNS, an address and a port: 127.0.0.1:8600. Empty = those of the system.");

    ServiceKeys(Schemes schemes) {
        services = ChannelKey.text(
                "services",
                "Services and their instances, with commas between the services and blanks between the instances: "
                        + StaticEndpoints.example(schemes) + ". The registry is not asked for them.");
        dnsPort = ChannelKey.number(
                "dns-port",
                "The port of all instances, whose addresses are the A and AAAA records of the name. Empty = SRV records,"
                        + " which have ports: _" + schemes.plain() + "._tcp.shop.service.consul, with dns-tls _"
                        + schemes.encrypted() + "._tcp.");
        dnsTls = ChannelKey.truth("dns-tls", "Whether the instances that DNS knows take " + schemes.encrypted() + ".")
                .withDefault("false");
    }

    List<ChannelKey<?>> all() {
        return List.of(services, discovery, eurekaUrl, dnsDomain, dnsPort, dnsTls, dnsServer);
    }

    /** The registries. */
    enum Discovery {
        NONE,
        DNS,
        EUREKA
    }
}
