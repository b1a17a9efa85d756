package io.mykit.delay.kafka;

import io.mykit.delay.channel.tls.Certificates;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.security.auth.SslEngineFactory;

/**
 * TLS of the client library with the certificates that the keys of a section name. The client library makes it by
 * its class name. Thread-safe after {@link #configure}.
 */
public final class KafkaTls implements SslEngineFactory {
    /** The property that holds the {@link Certificates}. */
    public static final String CERTIFICATES = "mykit.delay.certificates";

    private SSLContext context;

    @Override
    public void configure(Map<String, ?> properties) {
        if (!(properties.get(CERTIFICATES) instanceof Certificates certificates)) {
            throw new ConfigException(CERTIFICATES + " is missing");
        }
        try {
            context = certificates.context();
        } catch (GeneralSecurityException e) {
            throw new ConfigException("no TLS: " + e.getMessage());
        }
    }

    @Override
    public SSLEngine createClientSslEngine(String host, int port, String verification) {
        SSLEngine engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(verification);
        engine.setSSLParameters(parameters);
        return engine;
    }

    @Override
    public SSLEngine createServerSslEngine(String host, int port) {
        throw new UnsupportedOperationException("a client is no server");
    }

    @Override
    public boolean shouldBeRebuilt(Map<String, Object> properties) {
        return false;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    /** Only a server is asked for it. */
    @Override
    public KeyStore keystore() {
        return null;
    }

    /** Only a server is asked for it. */
    @Override
    public KeyStore truststore() {
        return null;
    }

    @Override
    public void close() {
        // The context holds no resource.
    }
}
