package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.common.value.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The producer properties that a user may not give, each with its reason. Loads no class of the client library. Stateless. */
final class PropertyRules {
    static final String COMPRESSION = "compression.type";

    private static final String NEEDED = "cannot be set: the channel needs ";

    /** The properties on which the meaning of "delivered" rests, and those that another key gives. */
    private static final Map<String, String> OWN = Map.ofEntries(
            Map.entry("acks", NEEDED + "all"),
            Map.entry("enable.idempotence", NEEDED + "true"),
            Map.entry("delivery.timeout.ms", "cannot be set: it is mykit.delay.delivery.send-timeout"),
            Map.entry("max.block.ms", NEEDED + "0, because no topic may block the threads of others"),
            Map.entry("key.serializer", NEEDED + "that of bytes"),
            Map.entry("value.serializer", NEEDED + "that of bytes"),
            Map.entry("transactional.id", "cannot be set: the channel has no transactions"),
            Map.entry("transaction.timeout.ms", "cannot be set: the channel has no transactions"),
            Map.entry("transaction.two.phase.commit.enable", "cannot be set: the channel has no transactions"));

    private static final Set<String> OF_ACCOUNT = Set.of("sasl.mechanism", "sasl.jaas.config");
    private static final Set<String> OF_TLS =
            Set.of("ssl.engine.factory.class", "ssl.endpoint.identification.algorithm");

    /** Beside none and gzip, with a class of the jar that each needs. */
    private static final Map<String, Library> COMPRESSIONS = Map.of(
            "lz4", new Library("net.jpountz.lz4.LZ4Factory", "at.yawk.lz4:lz4-java"),
            "snappy", new Library("org.xerial.snappy.Snappy", "org.xerial.snappy:snappy-java"),
            "zstd", new Library("com.github.luben.zstd.ZstdOutputStreamNoFinalizer", "com.github.luben:zstd-jni"));

    private PropertyRules() {}

    /** Adds a problem for each property that the configuration must not have. */
    static void check(KafkaSettings settings, ChannelProblems problems) {
        settings.properties().forEach((name, value) -> objection(settings, name, value)
                .ifPresent(objection -> problems.add(KafkaSettings.PROPERTIES, name, objection)));
    }

    private static Optional<String> objection(KafkaSettings settings, String name, Secret value) {
        if (name.equals("bootstrap.servers")) {
            return Optional.of("cannot be set: use " + settings.name(KafkaSettings.BOOTSTRAP_SERVERS));
        }
        if (OWN.containsKey(name)) {
            return Optional.of(OWN.get(name));
        }
        boolean account = settings.username().isPresent();
        if (account && OF_ACCOUNT.contains(name)) {
            return Optional.of("excludes " + settings.section() + ".username: use one of them");
        }
        if ((account || settings.tls()) && name.equals("security.protocol")) {
            return Optional.of("cannot be set: it follows from " + settings.section() + ".tls and .username");
        }
        if (settings.tls()
                && (OF_TLS.contains(name) || name.startsWith("ssl.truststore") || name.startsWith("ssl.key"))) {
            return Optional.of(
                    "excludes " + settings.section() + ".tls: use its trust-store, key-store and tls-verify-host");
        }
        return name.equals(COMPRESSION) ? compression(value.reveal()) : Optional.empty();
    }

    private static Optional<String> compression(String type) {
        Library library = COMPRESSIONS.get(type);
        return library == null || library.isThere()
                ? Optional.empty()
                : Optional.of(type + " needs " + library.artifact()
                        + ", which the distribution does not have: put its jar into"
                        + " plugins/, or use gzip or none");
    }

    /**
     * A library that the distribution leaves out.
     *
     * @param type one of its classes
     */
    private record Library(String type, String artifact) {
        boolean isThere() {
            try {
                Class.forName(type, false, PropertyRules.class.getClassLoader());
                return true;
            } catch (ClassNotFoundException e) {
                // The jar is not installed.
                return false;
            }
        }
    }
}
