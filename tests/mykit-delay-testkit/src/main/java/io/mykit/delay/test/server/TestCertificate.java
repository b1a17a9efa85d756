package io.mykit.delay.test.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate with its key, made by the JDK's keytool; also its own authority.
 *
 * @param store PKCS12, with {@link #PASSWORD}
 * @param chain the certificate in PEM
 * @param key PKCS8 in PEM, without a password
 */
public record TestCertificate(Path store, Path chain, Path key) {
    public static final String PASSWORD = "changeit";
    private static final String ALIAS = "test";

    /**
     * Makes one that is valid for two days.
     *
     * @param name of the files
     * @param host such as {@code ip:127.0.0.1} or {@code dns:localhost}
     */
    public static TestCertificate make(Path dir, String name, String host) {
        try {
            Files.createDirectories(dir);
            Path store = dir.resolve(name + ".p12");
            keytool(List.of(
                    "-genkeypair",
                    "-storetype",
                    "PKCS12",
                    "-alias",
                    ALIAS,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "san=" + host,
                    "-validity",
                    "2",
                    "-keystore",
                    store.toString(),
                    "-storepass",
                    PASSWORD));
            KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            Path chain = pem(
                    dir.resolve(name + ".pem"),
                    "CERTIFICATE",
                    keys.getCertificate(ALIAS).getEncoded());
            byte[] secret = keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded();
            return new TestCertificate(store, chain, pem(dir.resolve(name + "-key.pem"), "PRIVATE KEY", secret));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The TLS of a client that trusts these alone. It shows its own certificate, if there is one. */
    public static SSLContext client(Optional<TestCertificate> own, TestCertificate... trusted) {
        try {
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, null);
            for (TestCertificate each : trusted) {
                authorities.setCertificateEntry(
                        "ca-" + authorities.size(), each.keys().getCertificate(ALIAS));
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.isPresent() ? own.get().managers() : null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private KeyManager[] managers() throws GeneralSecurityException, IOException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys(), PASSWORD.toCharArray());
        return managers.getKeyManagers();
    }

    private KeyStore keys() throws GeneralSecurityException, IOException {
        return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
    }

    private static Path pem(Path file, String kind, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private static void keytool(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream output = process.getInputStream()) {
            String said = new String(output.readAllBytes(), UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("keytool: " + said);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
