package io.mykit.delay.channel.hosts.destination;

/**
 * The two schemes of a protocol in URLs and patterns. Immutable.
 *
 * @param plain without TLS
 * @param encrypted with TLS
 * @param plainPort of a URL that names none; 0 = it has to name one
 * @param encryptedPort of a URL that names none; 0 = it has to name one
 */
public record Schemes(String plain, String encrypted, int plainPort, int encryptedPort) {
    public static final Schemes HTTP = new Schemes("http", "https", 80, 443);
    /** gRPC has no ports of its own. */
    public static final Schemes GRPC = new Schemes("grpc", "grpcs", 0, 0);

    boolean has(String scheme) {
        return scheme.equals(plain) || scheme.equals(encrypted);
    }

    int port(String scheme) {
        return scheme.equals(encrypted) ? encryptedPort : plainPort;
    }

    /** The scheme of a server. */
    public String of(boolean tls) {
        return tls ? encrypted : plain;
    }
}
