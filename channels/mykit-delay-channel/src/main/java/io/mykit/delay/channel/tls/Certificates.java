package io.mykit.delay.channel.tls;

import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
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
}
