package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.kafka.Connection;
import io.mykit.delay.kafka.ConnectionKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The section {@code mykit.delay.kafka.*}. Loads no class of the client library. Immutable. */
final class KafkaSettings {
    private static final ConnectionKeys CONNECTION = new ConnectionKeys(
            "Brokers, host:port,host:port. Required if a topic goes to kafka.",
            "Any other property of a Kafka producer, as in \"linger.ms: 5\". The channel sets acks,"
                    + " enable.idempotence, delivery.timeout.ms and max.block.ms itself. compression.type is none or gzip;"
                    + " lz4, snappy and zstd need their jar in plugins/. No log shows the values.");

    private static final ChannelKey<RecordKey> KEY = ChannelKey.word(
                    RecordKey.class,
                    "key",
                    "The key of each record, which decides its partition: biz-key (bizKey, without one the subtopic,"
                            + " without both none), id, or none.")
            .withDefault("biz-key");

    private final ChannelSettings settings;

    KafkaSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(CONNECTION.servers(), KEY));
        keys.addAll(CONNECTION.account());
        keys.add(CONNECTION.properties());
        return keys;
    }

    void check(ChannelProblems problems) {
        if (settings.inUse() && connection().bootstrapServers().isEmpty()) {
            problems.add(CONNECTION.servers(), "is needed because delivery.* names kafka: host:port,host:port");
        }
        connection().check(problems, PropertyRules.OWN);
        connection().properties().forEach((name, value) -> PropertyRules.objection(name, value.reveal())
                .ifPresent(objection -> problems.add(CONNECTION.properties(), name, objection)));
    }

    Connection connection() {
        return new Connection(CONNECTION, settings);
    }

    RecordKey key() {
        return settings.get(KEY);
    }

    Duration sendTimeout() {
        return settings.sendTimeout();
    }

    /** The full name of the key of the brokers, for messages to a person. */
    String servers() {
        return settings.name(CONNECTION.servers());
    }

    /** The key of a record. */
    enum RecordKey {
        /** The business key; without one the subtopic; without both none. */
        BIZ_KEY,
        ID,
        NONE
    }
}
