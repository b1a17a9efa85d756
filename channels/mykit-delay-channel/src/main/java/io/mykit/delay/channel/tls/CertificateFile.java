package io.mykit.delay.channel.tls;

import io.mykit.delay.channel.Reasons;
import io.mykit.delay.common.value.Secret;
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

/**
 * A certificate file that the configuration names.
 *
 * @param key the full name of the configuration key, for messages to a person
 */
record CertificateFile(String key, Path file, Optional<Secret> password) {
    private static final String PEM = "-----BEGIN ";

    TrustManagerFactory trusted() {
        try {
            KeyStore store = isPem() ? ofPem() : load();
            if (store.size() == 0) {
                throw bad("there is no certificate in it that can be read with this password", null);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (GeneralSecurityException | IOException e) {
            throw bad(Reasons.of(e), e);
        }
    }

    KeyManagerFactory own() {
        try {
            if (isPem()) {
                throw bad("a key store is PKCS12 or JKS; openssl pkcs12 -export makes one of PEM files", null);
            }
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(load(), characters());
            return factory;
        } catch (GeneralSecurityException e) {
            throw bad(Reasons.of(e), e);
        }
    }

    /** The kind of store is recognised. */
    private KeyStore load() throws GeneralSecurityException {
        try {
            return KeyStore.getInstance(file.toFile(), characters());
        } catch (IOException e) {
            throw bad("not a PKCS12 or JKS store, or not with this " + key + "-password", e);
        }
    }

    private KeyStore ofPem() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        Collection<? extends Certificate> certificates = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file)));
        for (Certificate certificate : certificates) {
            store.setCertificateEntry("pem-" + store.size(), certificate);
        }
        return store;
    }

    private boolean isPem() {
        try {
            // Text may stand before the first certificate.
            return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(PEM);
        } catch (NoSuchFileException e) {
            throw bad("there is no such file", e);
        } catch (IOException e) {
            throw bad("cannot be read: " + Reasons.of(e), e);
        }
    }

    /** Null = none. */
    private char[] characters() {
        return password.map(Secret::reveal).map(String::toCharArray).orElse(null);
    }

    private IllegalArgumentException bad(String reason, Exception cause) {
        return new IllegalArgumentException(key + " = " + file + ": " + reason, cause);
    }
}
