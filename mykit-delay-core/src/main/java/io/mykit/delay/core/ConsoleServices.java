package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.HttpConfig;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.console.ConsoleAssets;
import io.mykit.delay.controller.ConsoleParts;
import io.mykit.delay.controller.console.Asset;
import io.mykit.delay.queue.dispatch.DispatchMeters;
import io.mykit.delay.queue.leader.LeaderElector;
import io.mykit.delay.queue.overview.NodeBoard;
import io.mykit.delay.queue.overview.NodeIdentity;
import io.mykit.delay.queue.overview.NodeRules;
import io.mykit.delay.queue.recovery.Recovery;
import io.mykit.delay.queue.recovery.RecoveryBoard;
import io.mykit.delay.queue.topic.DifferingTopics;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Makes the parts behind the pages for operators. */
final class ConsoleServices {
    private static final Set<String> ANY_ADDRESS = Set.of("0.0.0.0", "::", "[::]");

    private ConsoleServices() {}

    /**
     * Starts them; the stack closes them.
     *
     * @param host the name of this machine
     * @param checks the parts of this node
     */
    static ConsoleParts start(
            ServiceStack services,
            LoadedConfig used,
            String host,
            String version,
            Recovery recovery,
            RecoveryBoard board,
            LeaderElector elector,
            List<HealthCheck> checks,
            DispatchMeters deliveries,
            DifferingTopics differing,
            MeterRegistry meters,
            ClusterClock clock) {
        HttpConfig http = used.config().http();
        NodeIdentity identity = new NodeIdentity(
                host + ":" + http.port(),
                used.config().queue().name(),
                version,
                "http://" + (ANY_ADDRESS.contains(http.host()) ? host : http.host()) + ":" + http.port(),
                clock.millis(),
                http.adminToken().isEmpty()
                        && http.producerToken().isEmpty()
                        && http.viewerToken().isEmpty(),
                NodeRules.of(
                        used.deliveryRules(), DifferingTopics.say(used.config().delivery())));
        NodeBoard nodes = services.start(new NodeBoard(
                identity,
                recovery.store(),
                recovery.index(),
                elector,
                board,
                checks,
                deliveries.backingOff(),
                differing,
                deliveries.classes(),
                deliveries.minutes(),
                meters,
                clock));
        return new ConsoleParts(
                nodes.overviews(),
                used.shown(),
                used.changed(),
                deliveries.minutes()::accepted,
                used.config().console().enabled() ? assets() : Optional.empty());
    }

    private static Optional<Function<String, Optional<Asset>>> assets() {
        ConsoleAssets files = new ConsoleAssets();
        return Optional.of(path -> files.find(path)
                .map(file ->
                        new Asset(file.bytes(), file.gzip(), file.contentType(), file.etag(), file.isImmutable())));
    }
}
