package io.mykit.delay.grpc;

import io.grpc.netty.GrpcSslContexts;
import io.mykit.delay.access.tls.ServerTls;
import io.mykit.delay.common.tls.ServerCertificate;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

/**
 * The TLS of new connections, with the certificate in use. A new certificate makes a new context, so no session of the old one is
 * resumed. Thread-safe.
 */
final class FollowingSslContext extends SslContext {
    private volatile SslContext current;

    FollowingSslContext(ServerTls tls) {
        // A certificate that is told in between waits, so that it comes last.
        synchronized (this) {
            tls.onChange(this::use);
            current = context(tls.current());
        }
    }

    private synchronized void use(ServerCertificate certificate) {
        current = context(certificate);
    }

    private static SslContext context(ServerCertificate certificate) {
        SslContextBuilder builder =
                SslContextBuilder.forServer(certificate.keys()).protocols("TLSv1.3", "TLSv1.2");
        certificate.clients().ifPresent(clients -> builder.trustManager(clients).clientAuth(ClientAuth.REQUIRE));
        try {
            return GrpcSslContexts.configure(builder, SslProvider.JDK).build();
        } catch (SSLException e) {
            throw new IllegalStateException("the gRPC interface cannot use the certificate", e);
        }
    }

    @Override
    public boolean isClient() {
        return false;
    }

    @Override
    public List<String> cipherSuites() {
        return current.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // Its type is; the method is what is asked.
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return current.applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return current.newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
        return current.newEngine(allocator, host, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return current.sessionContext();
    }
}
