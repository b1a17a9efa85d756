package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.grpc-api.*}. Tokens, sizes and TLS are those of {@link HttpConfig}. The section {@code grpc} belongs to a channel. */
public interface GrpcApiConfig {
    @WithDefault("127.0.0.1")
    String host();

    /** Empty = the server has no gRPC interface; 0 = any free port. */
    Optional<Integer> port();
}
