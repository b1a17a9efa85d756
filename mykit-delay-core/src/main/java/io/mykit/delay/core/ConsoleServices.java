package io.mykit.delay.core;

import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.config.TlsConfig;
import io.mykit.delay.console.ConsoleAssets;
import io.mykit.delay.controller.ConsoleParts;
import io.mykit.delay.controller.console.Asset;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.NodeRules;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Makes the parts behind the pages for operators. Stateless. */
final class ConsoleServices {
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    private ConsoleServices() {}

    /**
     * The facts about this node.
     *
     * @param host the name of this machine
     */
    static NodeIdentity identity(LoadedConfig used, String host, String version, ClusterClock clock) {
        HttpConfig http = used.config().http();
        return new NodeIdentity(
                host + ":" + http.port(),
                used.config().queue().name(),
                version,
                TlsConfig.scheme(http.tls()) + "://" + (ANY_ADDRESS.contains(http.host()) ? host : http.host()) + ":"
                        + http.port(),
                clock.millis(),
                http.adminToken().isEmpty()
                        && http.producerToken().isEmpty()
                        && http.viewerToken().isEmpty(),
                NodeRules.of(used.deliveryRules()));
    }

    static ConsoleParts parts(LoadedConfig used) {
        return new ConsoleParts(
                used.config().console(),
                used.shown(),
                used.changed(),
                used.config().console().enabled() ? assets() : Optional.empty());
    }

    private static Optional<Function<String, Optional<Asset>>> assets() {
        ConsoleAssets files = new ConsoleAssets();
        return Optional.of(path -> files.find(path)
                .map(file ->
                        new Asset(file.bytes(), file.gzip(), file.contentType(), file.etag(), file.isImmutable())));
    }
}
