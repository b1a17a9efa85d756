package io.mykit.delay.controller;

import io.mykit.delay.common.value.Secret;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.config.TlsConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A configuration by hand. */
public record TestConfig(
        String host,
        int port,
        Optional<Secret> adminToken,
        Optional<Secret> producerToken,
        Optional<Secret> viewerToken,
        boolean metricsOpen,
        int maxBodySize,
        int maxBatchSize,
        Optional<Duration> drain,
        Optional<String> allowedHosts)
        implements HttpConfig {

    public static TestConfig open() {
        return tokens(null, null);
    }

    public static TestConfig tokens(String admin, String producer) {
        return tokens(admin, producer, null, false);
    }

    public static TestConfig tokens(String admin, String producer, String viewer, boolean metricsOpen) {
        return new TestConfig(
                "127.0.0.1",
                0,
                Optional.ofNullable(admin).map(Secret::new),
                Optional.ofNullable(producer).map(Secret::new),
                Optional.ofNullable(viewer).map(Secret::new),
                metricsOpen,
                1000,
                100_000,
                Optional.empty(),
                Optional.of("delay.example.org,Other."));
    }

    /** The same, with larger bodies. */
    public TestConfig withBodies(int maxBytes) {
        return new TestConfig(
                host,
                port,
                adminToken,
                producerToken,
                viewerToken,
                metricsOpen,
                maxBytes,
                maxBatchSize,
                drain,
                allowedHosts);
    }

    public TestConfig onPort(int otherPort) {
        return new TestConfig(
                host,
                otherPort,
                adminToken,
                producerToken,
                viewerToken,
                metricsOpen,
                maxBodySize,
                maxBatchSize,
                drain,
                allowedHosts);
    }

    @Override
    public TlsConfig tls() {
        return new NoTls(Optional.empty(), Optional.empty(), Optional.empty());
    }

    private record NoTls(Optional<Path> certificate, Optional<Path> key, Optional<Path> clientCa)
            implements TlsConfig {}
}
