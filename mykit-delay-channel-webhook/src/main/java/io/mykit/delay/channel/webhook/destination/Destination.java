package io.mykit.delay.channel.webhook.destination;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/**
 * The parts of a URL to which a request goes. Immutable.
 *
 * @param tls whether the scheme is https
 * @param host a DNS name, or an address; an IPv6 address is in brackets
 * @param address the address if the host is one; a name has none
 * @param path path and query as they are sent
 */
public record Destination(boolean tls, String host, Optional<InetAddress> address, int port, String path) {
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_PORT = 65_535;

    /**
     * @throws IllegalArgumentException if requests cannot go there; the message continues a sentence that begins with
     *     the name of the value
     */
    public static Destination of(String url) {
        if (url.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("is longer than " + MAX_LENGTH + " characters");
        }
        URI uri = parsed(url);
        if (!"http".equalsIgnoreCase(uri.getScheme()) && !"https".equalsIgnoreCase(uri.getScheme())) {
            throw new IllegalArgumentException("must begin with http:// or https://");
        }
        if (uri.getRawAuthority() != null && uri.getRawAuthority().indexOf('@') >= 0) {
            throw new IllegalArgumentException("must not have a user or a password; a header can carry them");
        }
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("must not have a fragment (#...)");
        }
        return of(uri);
    }

    private static Destination of(URI uri) {
        boolean tls = "https".equalsIgnoreCase(uri.getScheme());
        HostName host = HostName.of(uri.getHost() == null ? "" : uri.getHost());
        int port = uri.getPort() >= 0 ? uri.getPort() : defaultPort(tls);
        if (port == 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("has a port that is not from 1 to " + MAX_PORT);
        }
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new Destination(tls, host.text(), host.address(), port, path + query);
    }

    /** The receiver without the path, which may hold secrets: {@code https://example.com:443}. */
    public String receiver() {
        return scheme() + "://" + host + ":" + port;
    }

    String scheme() {
        return tls ? "https" : "http";
    }

    static int defaultPort(boolean tls) {
        return tls ? 443 : 80;
    }

    private static URI parsed(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("is no URL: " + e.getReason(), e);
        }
    }
}
