package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import io.mykit.delay.channel.hosts.destination.Schemes;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The names of services in DNS. Immutable.
 *
 * @param schemes of the instances; SRV records begin with one of them
 * @param domain behind the name of each service; empty = the name alone, and the search list of the system counts
 * @param port of all instances; empty = SRV records have it
 * @param tls whether instances take TLS
 * @param server the server to ask; empty = those of the system
 */
public record DnsPlace(
        Schemes schemes, String domain, Optional<Integer> port, boolean tls, Optional<InetSocketAddress> server) {
    /**
     * @throws IllegalArgumentException if the text is no address with a port; the message continues a sentence
     */
    public static InetSocketAddress server(String text) {
        boolean hasPort = text.matches(".+:\\d{1,5}") && text.indexOf('/') < 0;
        Optional<Destination> server = hasPort ? Optional.of(Destination.of("http://" + text)) : Optional.empty();
        return server.filter(given -> given.address().isPresent())
                .map(given -> new InetSocketAddress(given.address().get(), given.port()))
                .orElseThrow(
                        () -> new IllegalArgumentException("must be an address and a port, such as 127.0.0.1:8600"));
    }

    String host(String service) {
        return domain.isEmpty() ? service : service + "." + domain + ".";
    }

    Destination instance(String name, int at, InetAddress address) {
        return Destination.of(schemes, tls, name, at).at(address);
    }

    String question(String service) {
        return "_" + schemes.of(tls) + "._tcp." + host(service);
    }
}
