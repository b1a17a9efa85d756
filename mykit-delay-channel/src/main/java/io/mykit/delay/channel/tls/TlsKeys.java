package io.mykit.delay.channel.tls;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.value.Secret;
import java.nio.file.Path;
import java.util.List;

/** The keys of a section that name the certificates: the same four for each channel that knows TLS. Immutable. */
public final class TlsKeys {
    private final ChannelKey<Path> trustStore;
    private final ChannelKey<Secret> trustStorePassword =
            ChannelKey.secret("trust-store-password", "Its password; none for PEM.");
    private final ChannelKey<Path> keyStore = ChannelKey.path(
            "key-store", "Our own certificate and key, for brokers that ask for one: a PKCS12 or JKS file.");
    private final ChannelKey<Secret> keyStorePassword = ChannelKey.secret("key-store-password", "Its password.");

    /** @param when when the certificates are used, for the explanation; may be empty */
    public TlsKeys(String when) {
        String explanation = when + " Whom to trust: a PKCS12 or JKS file, or certificates in PEM."
                + " Empty = those that the JVM trusts.";
        trustStore = ChannelKey.path("trust-store", explanation.strip());
    }

    public List<ChannelKey<?>> all() {
        return List.of(trustStore, trustStorePassword, keyStore, keyStorePassword);
    }

    /**
     * Adds a problem for each certificate that would not be used, as the connection would be made in the clear, and for each
     * password without a file.
     *
     * @param tls whether the connection is made by TLS
     * @param needed what would make it so, for a person
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

    /** What is wrong with a key that is used with TLS only. */
    public static String onlyWith(String needed) {
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
