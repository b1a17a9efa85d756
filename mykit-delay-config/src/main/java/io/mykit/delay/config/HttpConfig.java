package io.mykit.delay.config;

import io.mykit.delay.common.value.Secret;
import io.smallrye.config.WithDefault;
import java.time.Duration;
import java.util.Optional;

/** {@code mykit.delay.http.*} */
public interface HttpConfig {
    @WithDefault("127.0.0.1")
    String host();

    /** 0 = any free port. */
    @WithDefault("6355")
    int port();

    TlsConfig tls();

    /**
     * The host names that clients may use, without a port, separated by commas. IP addresses and localhost are always
     * allowed. Only calls without a token are checked.
     */
    Optional<String> allowedHosts();

    /** If set, operators' calls need it as {@code Authorization: Bearer}. */
    Optional<Secret> adminToken();

    /** If set, producers' calls need it or the admin token. */
    Optional<Secret> producerToken();

    /** If set, calls that show the queue need it or the admin token. It allows no call that changes data. */
    Optional<Secret> viewerToken();

    /** Whether the metrics and the details of health need no token although tokens are configured. */
    @WithDefault("false")
    boolean metricsOpen();

    /** The maximum of bytes in one request body, chunked or not. */
    @WithDefault("1048576")
    int maxBodySize();

    /** The maximum of bytes in one request body of {@code /push/batch}. */
    @WithDefault("16777216")
    int maxBatchSize();

    /**
     * The time in which a stopping node still serves requests but reports that it is not ready. Empty: the mode decides.
     */
    Optional<Duration> drain();
}
