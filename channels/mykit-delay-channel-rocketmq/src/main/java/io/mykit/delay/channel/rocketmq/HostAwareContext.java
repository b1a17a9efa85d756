package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.Reasons;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

/**
 * A TLS context that checks the host name. The RocketMQ client asks for a handler before it knows the address, so the
 * handler could not compare the certificate with the host. This context returns a placeholder. The real handler replaces it
 * when the address is known.
 */
final class HostAwareContext extends SslContext {
    private final SslContext real;
    private final Consumer<String> failures;

    /**
     * @param failures gets the reason of each failed handshake, and null after a successful one
     */
    HostAwareContext(SslContext real, Consumer<String> failures) {
        this.real = real;
        this.failures = failures;
    }

    @Override
    protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls) {
        return new StandIn(real.newEngine(allocator));
    }

    @Override
    public boolean isClient() {
        return real.isClient();
    }

    @Override
    public List<String> cipherSuites() {
        return real.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation")
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return real.applicationProtocolNegotiator();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return real.newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
        return real.newEngine(allocator, host, port);
    }

    @Override
    public SSLSessionContext sessionContext() {
        return real.sessionContext();
    }

    private SslHandler handlerFor(ByteBufAllocator allocator, InetSocketAddress peer) {
        String host = peer.getHostString();
        SslHandler handler = real.newHandler(allocator, host, peer.getPort());
        handler.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                failures.accept(null);
            } else {
                failures.accept("TLS with " + host + ":" + peer.getPort() + " failed: " + reason(done.cause()));
            }
        });
        return handler;
    }

    /** The innermost cause names the problem of the certificate. */
    private static String reason(Throwable thrown) {
        Throwable cause = thrown;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return Reasons.of(cause);
    }

    /** The placeholder. It never makes a handshake, because it is replaced before the connection. */
    private final class StandIn extends SslHandler {
        StandIn(SSLEngine unused) {
            super(unused);
        }

        @Override
        public void connect(
                ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            SslHandler handler = handlerFor(context.alloc(), (InetSocketAddress) remote);
            context.pipeline().replace(this, context.name(), handler);
            var unused = context.connect(remote, local, promise);
        }

        @Override
        public void handlerRemoved0(ChannelHandlerContext context) {
            // Drops the notices about a failed handshake.
        }
    }
}
