package io.mykit.delay.channel.kafka;

import java.util.Map;
import java.util.Optional;

/** The producer properties that a user may not give, each with its reason, and the compressions. Loads no class of the client library. Stateless. */
final class PropertyRules {
    static final String COMPRESSION = "compression.type";

    private static final String NEEDED = "cannot be set: the channel needs ";

    /** The properties on which the meaning of "delivered" rests, and those that another key gives. */
    static final Map<String, String> OWN = Map.ofEntries(
            Map.entry("acks", NEEDED + "all"),
            Map.entry("enable.idempotence", NEEDED + "true"),
            Map.entry("delivery.timeout.ms", "cannot be set: it is mykit.delay.delivery.send-timeout"),
            Map.entry("max.block.ms", NEEDED + "0, because no topic may block the threads of others"),
            Map.entry("key.serializer", NEEDED + "that of bytes"),
            Map.entry("value.serializer", NEEDED + "that of bytes"),
            Map.entry("transactional.id", "cannot be set: the channel has no transactions"),
            Map.entry("transaction.timeout.ms", "cannot be set: the channel has no transactions"),
            Map.entry("transaction.two.phase.commit.enable", "cannot be set: the channel has no transactions"));

    /** Beside none and gzip, with a class of the jar that each needs. */
    private static final Map<String, Library> COMPRESSIONS = Map.of(
            "lz4", new Library("net.jpountz.lz4.LZ4Factory", "at.yawk.lz4:lz4-java"),
            "snappy", new Library("org.xerial.snappy.Snappy", "org.xerial.snappy:snappy-java"),
            "zstd", new Library("com.github.luben.zstd.ZstdOutputStreamNoFinalizer", "com.github.luben:zstd-jni"));

    private PropertyRules() {}

    /** What is wrong with a value; empty = nothing. */
    static Optional<String> objection(String name, String value) {
        return name.equals(COMPRESSION) ? compression(value) : Optional.empty();
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
