package io.mykit.delay.channel.hosts.destination;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts of a URL to which a request goes. Immutable.
 *
 * @param scheme one of {@link Schemes}, or service: the host is then the name of a service, and a registry knows its instances
 * @param host a DNS name, an address, or the name of a service; an IPv6 address is in brackets
 * @param address the address if the host is one, or if a registry gave it with the host; a name has none
 * @param port 0 for a service
 * @param path path and query as they are sent
 * @param tls whether requests are encrypted; false for a service
 */
public record Destination(
        String scheme, String host, Optional<InetAddress> address, int port, String path, boolean tls) {
    static final String SERVICE = "service";
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_PORT = 65_535;

    /**
     * A URL of http, https or service.
     *
     * @throws IllegalArgumentException as {@link #of(String, Schemes)}
     */
    public static Destination of(String url) {
        return of(url, Schemes.HTTP);
    }

    /**
     * A URL of one of these schemes, or of a service.
     *
     * @throws IllegalArgumentException if requests cannot go there; the message continues a sentence that begins with
     *     the name of the value
     */
    public static Destination of(String url, Schemes schemes) {
        if (url.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("is longer than " + MAX_LENGTH + " characters");
        }
        URI uri = parsed(url);
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!schemes.has(scheme) && !scheme.equals(SERVICE)) {
            throw new IllegalArgumentException(
                    "must begin with " + schemes.plain() + "://, " + schemes.encrypted() + ":// or service://");
        }
        if (uri.getRawAuthority() != null && uri.getRawAuthority().indexOf('@') >= 0) {
            throw new IllegalArgumentException("must not have a user or a password; a header can carry them");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("must not have a fragment (#...)");
        }
        return scheme.equals(SERVICE) ? ofService(uri) : of(scheme, schemes, uri);
    }

    /**
     * A server at the root path.
     *
     * @param host a DNS name or an address
     * @throws IllegalArgumentException if requests cannot go there; the message continues a sentence
     */
    public static Destination of(Schemes schemes, boolean tls, String host, int port) {
        HostName name = HostName.of(host.indexOf(':') >= 0 && !host.startsWith("[") ? "[" + host + "]" : host);
        return new Destination(schemes.of(tls), name.text(), name.address(), checked(port), "/", tls);
    }

    private static Destination of(String scheme, Schemes schemes, URI uri) {
        HostName host = HostName.of(uri.getHost() == null ? "" : uri.getHost());
        int port = uri.getPort() >= 0 ? uri.getPort() : schemes.port(scheme);
        if (uri.getPort() < 0 && port == 0) {
            throw new IllegalArgumentException("has no port");
        }
        boolean tls = scheme.equals(schemes.encrypted());
        return new Destination(scheme, host.text(), host.address(), checked(port), path(uri), tls);
    }

    private static Destination ofService(URI uri) {
        // Java takes a name with an underscore for no host, so the authority is the name.
        String name = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
        if (name.indexOf(':') >= 0) {
            throw new IllegalArgumentException("must not have a port: the instances of a service have their own");
        }
        return new Destination(SERVICE, ServiceName.of(name), Optional.empty(), 0, path(uri), false);
    }

    /** The same server, another path. */
    public Destination withPath(String other) {
        return new Destination(scheme, host, address, port, other, tls);
    }

    /** The same server, at an address that a registry gave. */
    public Destination at(InetAddress known) {
        return new Destination(scheme, host, Optional.of(known), port, path, tls);
    }

    /** The receiver without the path, which may hold secrets: {@code https://example.com:443}. */
    public String receiver() {
        if (isService()) {
            return scheme + "://" + host;
        }
        String server = scheme + "://" + host + ":" + port;
        // The instances of a service may share a name, and differ in their addresses.
        return address.isPresent() && HostName.of(host).address().isEmpty()
                ? server + " (" + address.get().getHostAddress() + ")"
                : server;
    }

    public boolean isService() {
        return scheme.equals(SERVICE);
    }

    private static int checked(int port) {
        if (port <= 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("has a port that is not from 1 to " + MAX_PORT);
        }
        return port;
    }

    private static String path(URI uri) {
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    private static URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is no URL: " + e.getReason(), e);
        }
    }
}
