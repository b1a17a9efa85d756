package io.mykit.delay.config;

import java.nio.file.Path;
import java.util.Optional;

/** Which certificates a client trusts, and its own. The same four keys in each section that has them. */
public interface TlsStores {
    /** PKCS12 or JKS, or certificates in PEM; absent = what the JVM trusts. */
    Optional<Path> trustStore();

    Optional<Secret> trustStorePassword();

    /** PKCS12 or JKS; absent = the client shows no certificate. */
    Optional<Path> keyStore();

    Optional<Secret> keyStorePassword();
}
