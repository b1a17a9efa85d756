package io.mykit.delay.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates of authorities in a file. Stateless. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * TLS that trusts the certificates of this file alone.
     *
     * @throws IllegalArgumentException if the file cannot be read, or has no certificate in PEM
     */
    static SSLContext context(Path pem) {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + store.size(), each);
            }
            if (store.size() == 0) {
                throw new IllegalArgumentException("there is no certificate in PEM in " + pem);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("cannot read certificates from " + pem + ": " + e, e);
        }
    }
}
