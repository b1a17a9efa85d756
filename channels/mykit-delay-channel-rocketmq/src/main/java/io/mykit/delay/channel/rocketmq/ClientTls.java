package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.tls.Certificates;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.apache.rocketmq.client.impl.factory.MQClientInstance;
import org.apache.rocketmq.remoting.RemotingClient;
import org.apache.rocketmq.remoting.netty.NettyRemotingAbstract;

/**
 * TLS of one client. By default the client library trusts every certificate unless system properties forbid it, ignores the
 * host name, and connects without encryption if it cannot read its certificates. So this class gives it another context.
 * Thread-safe.
 */
final class ClientTls {
    private final SslContext context;
    /** The reason why the last handshake failed; null = it succeeded. */
    private final AtomicReference<String> failure = new AtomicReference<>();

    private ClientTls(SslContext real) {
        this.context = new HostAwareContext(real, failure::set);
    }

    /**
     * Empty without {@code rocketmq.tls}.
     *
     * @throws IllegalArgumentException if a certificate cannot be read; the message names the key
     */
    static Optional<ClientTls> of(RocketMqSettings config) {
        return config.tls() ? Optional.of(new ClientTls(context(config))) : Optional.empty();
    }

    private static SslContext context(RocketMqSettings config) {
        Certificates certificates = config.certificates();
        SslContextBuilder builder = SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .endpointIdentificationAlgorithm(config.verifiesHost() ? "HTTPS" : null);
        certificates.trusted().ifPresent(builder::trustManager);
        certificates.own().ifPresent(builder::keyManager);
        try {
            return builder.build();
        } catch (SSLException e) {
            throw new IllegalArgumentException(config.section() + ".tls = true: " + e.getMessage(), e);
        }
    }

    /**
     * Sets the context of a client that is not started yet.
     *
     * @throws IllegalStateException if this release of the client keeps the context in another place; a connection without
     *     encryption would be worse than none
     */
    void putInto(MQClientInstance client) {
        RemotingClient remoting = client.getMQClientAPIImpl().getRemotingClient();
        try {
            Field field = NettyRemotingAbstract.class.getDeclaredField("sslContext");
            field.setAccessible(true);
            field.set(remoting, context);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("this release of the RocketMQ client cannot be given a TLS context", e);
        }
    }

    /** The reason why the last handshake failed; empty if it succeeded. */
    Optional<String> failure() {
        return Optional.ofNullable(failure.get());
    }
}
