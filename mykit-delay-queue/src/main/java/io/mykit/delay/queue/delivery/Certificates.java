package io.mykit.delay.queue.delivery;

import io.mykit.delay.config.Secret;
import io.mykit.delay.config.TlsStores;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** The certificates that a channel trusts, and its own: read once, when the channel is opened. Immutable. */
public final class Certificates {
    private static final String PEM = "-----BEGIN ";

    private final Optional<TrustManagerFactory> trusted;
    private final Optional<KeyManagerFactory> own;

    private Certificates(Optional<TrustManagerFactory> trusted, Optional<KeyManagerFactory> own) {
        this.trusted = trusted;
        this.own = own;
    }

    /**
     * Reads the files that a section of the configuration names.
     *
     * @param section such as {@code mykit.delay.activemq}
     * @throws IllegalArgumentException naming the key, if a file is missing or cannot be read with its password
     */
    public static Certificates read(String section, TlsStores stores) {
        return new Certificates(
                stores.trustStore()
                        .map(file -> trusted(section + ".trust-store", file, password(stores.trustStorePassword()))),
                stores.keyStore().map(file -> own(section + ".key-store", file, password(stores.keyStorePassword()))));
    }

    /** Whom to trust; empty = those whom the JVM trusts. */
    public Optional<TrustManagerFactory> trusted() {
        return trusted;
    }

    /** Who we are; empty = no certificate. */
    public Optional<KeyManagerFactory> own() {
        return own;
    }

    private static TrustManagerFactory trusted(String key, Path file, char[] password) {
        try {
            KeyStore store = isPem(key, file) ? ofPem(file) : load(key, file, password);
            if (store.size() == 0) {
                throw bad(key, file, "there is no certificate in it that can be read with this password", null);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw bad(key, file, Reasons.of(e), e);
        }
    }

    private static KeyManagerFactory own(String key, Path file, char[] password) {
        try {
            if (isPem(key, file)) {
                throw bad(
                        key, file, "a key store is PKCS12 or JKS; openssl pkcs12 -export makes one of PEM files", null);
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(load(key, file, password), password);
            return factory;
        } catch (GeneralSecurityException e) {
            throw bad(key, file, Reasons.of(e), e);
        }
    }

    /** The kind of store is recognised. */
    private static KeyStore load(String key, Path file, char[] password) throws GeneralSecurityException {
        try {
            return KeyStore.getInstance(file.toFile(), password);
        } catch (IOException e) {
            throw bad(key, file, "not a PKCS12 or JKS store, or not with this " + key + "-password", e);
        }
    }

    private static KeyStore ofPem(Path file) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("pem-" + store.size(), certificate);
        }
        return store;
    }

    private static boolean isPem(String key, Path file) {
        try {
            // Text may stand before the first certificate.
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(PEM);
        } catch (NoSuchFileException e) {
            throw bad(key, file, "there is no such file", e);
        } catch (IOException e) {
            throw bad(key, file, "cannot be read: " + Reasons.of(e), e);
        }
    }

    /** Null = none. */
    private static char[] password(Optional<Secret> password) {
        return password.map(Secret::reveal).map(String::toCharArray).orElse(null);
    }

    private static IllegalArgumentException bad(String key, Path file, String reason, Exception cause) {
        return new IllegalArgumentException(key + " = " + file + ": " + reason, cause);
    }
}
