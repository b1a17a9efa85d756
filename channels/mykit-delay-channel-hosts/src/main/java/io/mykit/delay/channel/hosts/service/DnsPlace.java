package io.mykit.delay.channel.hosts.service;

import io.mykit.delay.channel.hosts.destination.Destination;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The names of services in DNS. Immutable.
 *
 * @param domain behind the name of each service; empty = the name alone, and the search list of the system counts
 * @param port of all instances; empty = SRV records have it
 * @param tls whether instances take https
 * @param server the server to ask; empty = those of the system
 */
public record DnsPlace(String domain, Optional<Integer> port, boolean tls, Optional<InetSocketAddress> server) {
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

    String question(String service) {
        return (tls ? "_https" : "_http") + "._tcp." + host(service);
    }
}
