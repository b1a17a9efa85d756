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

    /**
     * Names without a port, separated by commas, by which clients call the server; besides addresses and localhost. For what
     * no token protects.
     */
    Optional<String> allowedHosts();

    /** Once set, operators' calls need it as {@code Authorization: Bearer}. */
    Optional<Secret> adminToken();

    /** Once set, producers' calls need it (the admin token does as well). */
    Optional<Secret> producerToken();

    /** Bytes of one request, also when sent chunked. */
    @WithDefault("1048576")
    int maxBodySize();

    /** Bytes of one request to {@code /push/batch}. */
    @WithDefault("16777216")
    int maxBatchSize();

    /** How long a stopping node still serves while it says that it is not ready. Empty: as the mode needs it. */
    Optional<Duration> drain();
}
