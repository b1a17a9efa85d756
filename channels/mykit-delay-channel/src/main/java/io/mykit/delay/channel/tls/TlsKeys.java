package io.mykit.delay.channel.tls;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.value.Secret;
import java.nio.file.Path;
import java.util.List;

/** The four keys that name certificates. Each channel that knows TLS has them in its section. Immutable. */
public final class TlsKeys {
    private final ChannelKey<Path> trustStore;
    private final ChannelKey<Secret> trustStorePassword =
            ChannelKey.secret("trust-store-password", "The password of trust-store; none for PEM.");
    private final ChannelKey<Path> keyStore = ChannelKey.path(
            "key-store", "The server's own certificate and key, for brokers that ask for one: a PKCS12 or JKS file.");
    private final ChannelKey<Secret> keyStorePassword =
            ChannelKey.secret("key-store-password", "The password of key-store.");

    /**
     * @param when says when the certificates are used; begins the explanation; may be empty
     */
    public TlsKeys(String when) {
        String explanation = when + " The certificates to trust: a PKCS12 or JKS file, or PEM."
                + " Empty = those that the JVM trusts.";
        trustStore = ChannelKey.path("trust-store", explanation.strip());
    }

    public List<ChannelKey<?>> all() {
        return List.of(trustStore, trustStorePassword, keyStore, keyStorePassword);
    }

    /**
     * Adds a problem for each certificate file that would not be used, because the connection would not be encrypted. Adds
     * a problem for each password without a file.
     *
     * @param tls whether the connection uses TLS
     * @param needed the setting that would turn TLS on, for the message
     */
    public void check(ChannelSettings settings, ChannelProblems problems, boolean tls, String needed) {
        check(settings, problems, trustStore, trustStorePassword, tls, needed);
        check(settings, problems, keyStore, keyStorePassword, tls, needed);
    }

    private static void check(
            ChannelSettings settings,
            ChannelProblems problems,
            ChannelKey<Path> file,
            ChannelKey<Secret> password,
            boolean tls,
            String needed) {
        boolean given = settings.find(file).isPresent();
        if (given && !tls) {
            problems.add(file, onlyWith(needed));
        }
        if (!given && settings.find(password).isPresent()) {
            problems.add(password, "needs " + settings.name(file) + ", which is missing");
        }
    }

    /** The problem of a key that has an effect with TLS only. */
    static String onlyWith(String needed) {
        return "is used with " + needed + " only: set that, or leave this out";
    }

    /**
     * Reads the files.
     *
     * @throws IllegalArgumentException naming the key, if a file is missing or cannot be read with its password
     */
    public Certificates read(ChannelSettings settings) {
        return Certificates.read(
                settings.find(trustStore)
                        .map(file -> new CertificateFile(
                                settings.name(trustStore), file, settings.find(trustStorePassword))),
                settings.find(keyStore)
                        .map(file ->
                                new CertificateFile(settings.name(keyStore), file, settings.find(keyStorePassword))));
    }
}
