package io.mykit.delay.channel.tls;

import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The certificates that a channel trusts, and its own certificate. They are read once, when the channel opens. Immutable.
 *
 * @param trusted the certificates to trust; empty = those that the JVM trusts
 * @param own the channel's own certificate; empty = none
 */
public record Certificates(Optional<TrustManagerFactory> trusted, Optional<KeyManagerFactory> own) {
    static Certificates read(Optional<CertificateFile> trustStore, Optional<CertificateFile> keyStore) {
        return new Certificates(trustStore.map(CertificateFile::trusted), keyStore.map(CertificateFile::own));
    }

    /**
     * A context for connections with these certificates.
     *
     * @throws GeneralSecurityException the JVM has no TLS, or cannot use them
     */
    public SSLContext context() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                own.map(KeyManagerFactory::getKeyManagers).orElse(null),
                trusted.map(TrustManagerFactory::getTrustManagers).orElse(null),
                null);
        return context;
    }
}
