package io.mykit.delay.ports.http;

import io.mykit.delay.common.tls.ServerCertificate;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.ServerSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** TLS as Vert.x sets it. Stateless. */
final class SecureOptions {
    private static final Set<String> PROTOCOLS = new LinkedHashSet<>(List.of("TLSv1.3", "TLSv1.2"));
    private static final long HANDSHAKE_SECONDS = 10;

    private SecureOptions() {}

    /** Adds TLS to the options of a server that starts. */
    static HttpServerOptions with(HttpServerOptions server, ServerCertificate certificate) {
        server.setSsl(true)
                .setUseAlpn(false)
                .setKeyCertOptions(KeyCertOptions.wrap(certificate.keys()))
                .setEnabledSecureTransportProtocols(PROTOCOLS)
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS);
        certificate.clients().ifPresent(clients -> server.setTrustOptions(TrustOptions.wrap(clients))
                .setClientAuth(ClientAuth.REQUIRED));
        return server;
    }

    /** The same for a server that runs. */
    static ServerSSLOptions of(ServerCertificate certificate) {
        return with(new HttpServerOptions(), certificate).getSslOptions();
    }
}
