package io.mykit.delay.ingest.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.kafka.Connection;
import io.mykit.delay.kafka.ConnectionKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.ingest.kafka.*}. Loads no class of the client library. Immutable. */
final class IngestSettings {
    /** The id of a message, {@code k:<topic>:<partition>:<offset>}, has at most 128 characters behind the prefix of a namespace. */
    static final int MAX_TOPIC = 95;

    private static final ConnectionKeys CONNECTION = new ConnectionKeys(
            "Brokers, host:port,host:port. Empty = no message comes by Kafka.",
            "Any other property of a Kafka consumer, as in \"max.poll.records: 200\". The ingest sets group.id,"
                    + " enable.auto.commit, isolation.level and the deserializers itself. No log shows the values.");

    private static final ChannelKey<String> TOPIC = ChannelKey.text(
                    "topic",
                    "The topic whose records are pushed; it has to exist. At most 95 characters, because ids begin"
                            + " with it.")
            .withDefault("mykit-delay-push");
    private static final ChannelKey<String> GROUP = ChannelKey.text(
                    "group", "The consumer group. The nodes of one queue share it, and no other program uses it.")
            .withDefault("mykit-delay");
    private static final ChannelKey<String> REJECTED_TOPIC = ChannelKey.text(
            "rejected-topic",
            "The topic that gets the records which are no valid push, with the reason; it has to exist. Empty = such a"
                    + " record is logged and passed over.");

    private static final String NEEDED = "cannot be set: the ingest needs ";

    /** The properties on which the promise rests, and those that another key gives. */
    private static final Map<String, String> OWN = Map.of(
            "group.id", "cannot be set: it is mykit.delay.ingest.kafka.group",
            "enable.auto.commit", NEEDED + "false, because offsets wait for the database",
            "isolation.level", NEEDED + "read_committed",
            "allow.auto.create.topics", NEEDED + "false",
            "group.protocol", NEEDED + "classic",
            "key.deserializer", NEEDED + "that of bytes",
            "value.deserializer", NEEDED + "that of bytes");

    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]+");
    private static final int MAX_REJECTED = 249;

    private final ChannelSettings settings;

    IngestSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(CONNECTION.servers(), TOPIC, GROUP, REJECTED_TOPIC));
        keys.addAll(CONNECTION.account());
        keys.add(CONNECTION.properties());
        return keys;
    }

    void check(ChannelProblems problems) {
        connection().check(problems, OWN);
        topic(problems, TOPIC, MAX_TOPIC);
        topic(problems, REJECTED_TOPIC, MAX_REJECTED);
        if (rejectedTopic().filter(topic()::equals).isPresent()) {
            problems.add(
                    REJECTED_TOPIC,
                    "must not be the topic of the pushes: a rejected record would be rejected again and again");
        }
    }

    private void topic(ChannelProblems problems, ChannelKey<String> key, int max) {
        settings.find(key)
                .filter(name -> name.length() > max || !NAME.matcher(name).matches())
                .ifPresent(name -> problems.add(key, "must be 1 to " + max + " of a-z A-Z 0-9 . _ -, and not . or .."));
    }

    Connection connection() {
        return new Connection(CONNECTION, settings);
    }

    String topic() {
        return settings.get(TOPIC);
    }

    String group() {
        return settings.get(GROUP);
    }

    Optional<String> rejectedTopic() {
        return settings.find(REJECTED_TOPIC);
    }

    /** The full name of the key of the topic, for messages to a person. */
    String topicKey() {
        return settings.name(TOPIC);
    }

    /** The full name of the key of the topic for rejected records, for messages to a person. */
    String rejectedTopicKey() {
        return settings.name(REJECTED_TOPIC);
    }
}
