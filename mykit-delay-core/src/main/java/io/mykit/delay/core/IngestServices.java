package io.mykit.delay.core;

import io.micrometer.core.instrument.MeterRegistry;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.common.health.HealthCheck;
import io.mykit.delay.common.lifecycle.ServiceStack;
import io.mykit.delay.common.time.ClusterClock;
import io.mykit.delay.config.LoadedConfig;
import io.mykit.delay.ingest.kafka.KafkaIngest;
import io.mykit.delay.ingest.kafka.KafkaIngestSection;
import io.mykit.delay.queue.DelayQueue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The ways in by brokers, if their section names one. Otherwise no class of them is loaded but that of the section. */
interface IngestServices {
    /** The server has none. */
    IngestServices NONE = new IngestServices() {};

    /** Their parts of {@code /health}. */
    default Stream<HealthCheck> checks() {
        return Stream.empty();
    }

    /** Starts them; the stack closes them. */
    default void start(ServiceStack services) {}

    /** No more messages are taken from now on. */
    default void announceStop() {}

    /** The broker and the topic, for a person; empty = none. */
    static Optional<String> address(LoadedConfig config) {
        return config.section(KafkaIngestSection.NAME)
                .flatMap(KafkaIngestSection::address)
                .map(address -> "Kafka " + address);
    }

    static IngestServices of(LoadedConfig config, DelayQueue queue, ClusterClock clock, MeterRegistry meters) {
        return address(config).isEmpty()
                ? NONE
                : opened(config.section(KafkaIngestSection.NAME).orElseThrow(), config, queue, clock, meters);
    }

    /** The checks with those of the ingests. */
    default List<HealthCheck> with(List<HealthCheck> checks) {
        return Stream.concat(checks.stream(), checks()).toList();
    }

    private static IngestServices opened(
            ChannelSettings settings, LoadedConfig config, DelayQueue queue, ClusterClock clock, MeterRegistry meters) {
        KafkaIngest ingest = KafkaIngest.of(settings, config.config(), queue.producers(), clock, meters)
                .orElseThrow();
        return new IngestServices() {
            @Override
            public Stream<HealthCheck> checks() {
                return Stream.of(ingest);
            }

            @Override
            public void start(ServiceStack services) {
                services.start(ingest);
            }

            @Override
            public void announceStop() {
                ingest.announceStop();
            }
        };
    }
}
