package io.mykit.delay.config;

import io.mykit.delay.common.tls.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;

/** {@code mykit.delay.http.tls.*}: TLS of all ports on which the server listens. */
public interface TlsConfig {
    /** Empty = the ports speak plain text. */
    Optional<Path> certificate();

    Optional<Path> key();

    /** The authorities of clients' certificates; empty = clients need none. */
    Optional<Path> clientCa();

    /** The scheme of the server's URLs. */
    static String scheme(TlsConfig tls) {
        return tls.certificate().isPresent() ? "https" : "http";
    }

    /** Empty = no TLS. */
    static Optional<TlsFiles> files(TlsConfig tls) {
        return tls.certificate()
                .flatMap(certificate -> tls.key().map(key -> new TlsFiles(certificate, key, tls.clientCa())));
    }
}
