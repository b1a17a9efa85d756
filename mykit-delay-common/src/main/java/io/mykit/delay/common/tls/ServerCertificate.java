package io.mykit.delay.common.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** A certificate with its key, and the authorities of clients. Immutable. */
public final class ServerCertificate {
    private final List<X509Certificate> chain;
    private final PrivateKey key;
    private final List<X509Certificate> authorities;

    ServerCertificate(List<X509Certificate> chain, PrivateKey key, List<X509Certificate> authorities) {
        this.chain = List.copyOf(chain);
        this.key = key;
        this.authorities = List.copyOf(authorities);
    }

    /** Shows the certificate and its key to clients. */
    public KeyManagerFactory keys() {
        try {
            KeyStore store = emptyStore();
            store.setKeyEntry("server", key, new char[0], chain.toArray(X509Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, new char[0]);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM cannot use this certificate", e);
        }
    }

    /** Checks the certificates of clients; empty = clients need none. */
    public Optional<TrustManagerFactory> clients() {
        if (authorities.isEmpty()) {
            return Optional.empty();
        }
        try {
            KeyStore store = emptyStore();
            for (X509Certificate authority : authorities) {
                store.setCertificateEntry("ca-" + store.size(), authority);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Optional.of(factory);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the JVM cannot use these authorities of clients", e);
        }
    }

    /** The end of the certificate, or of one between it and its authority, if that ends first. */
    public Instant expires() {
        return chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** The reason why clients refuse it by the clock of this machine: it has expired, or begins later. */
    public Optional<String> invalidity() {
        for (X509Certificate each : chain) {
            try {
                each.checkValidity();
            } catch (CertificateExpiredException e) {
                return Optional.of("expired at " + each.getNotAfter().toInstant());
            } catch (CertificateNotYetValidException e) {
                return Optional.of("is not valid before " + each.getNotBefore().toInstant());
            }
        }
        return Optional.empty();
    }

    /** The name in the certificate, such as {@code CN=delay.example.org}. */
    public String subject() {
        return chain.get(0).getSubjectX500Principal().getName();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("JKS");
        store.load(null, null);
        return store;
    }

    @Override
    public String toString() {
        return subject() + ", valid until " + expires();
    }
}
