package io.mykit.delay.channel.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.channel.tls.TlsSwitch;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.kafka.*}. Loads no class of the client library. Immutable. */
final class KafkaSettings {
    static final ChannelKey<String> BOOTSTRAP_SERVERS = ChannelKey.text(
                    "bootstrap-servers", "Brokers, host:port,host:port. Required if a topic goes to kafka.")
            .ofHosts();
    static final ChannelKey<Secret> PROPERTIES = ChannelKey.secrets(
            "properties",
            "Any other property of a Kafka producer, as in \"linger.ms: 5\". The channel sets acks, enable.idempotence,"
                    + " delivery.timeout.ms and max.block.ms itself. compression.type is none or gzip; lz4, snappy and zstd need"
                    + " their jar in plugins/. No log shows the values.");

    private static final ChannelKey<RecordKey> KEY = ChannelKey.word(
                    RecordKey.class,
                    "key",
                    "The key of each record, which decides its partition: biz-key (bizKey, without one the subtopic, without both"
                            + " none), id, or none.")
            .withDefault("biz-key");
    private static final ChannelKey<String> USERNAME = ChannelKey.text(
            "username", "The account, for brokers that demand one (SASL); set it together with password.");
    private static final ChannelKey<Secret> PASSWORD = ChannelKey.secret("password", "The password of the account.");
    private static final ChannelKey<Mechanism> MECHANISM = ChannelKey.word(
                    Mechanism.class,
                    "sasl-mechanism",
                    "How the account is shown: plain (the broker reads the password: with tls only), scram-sha-256 or scram-sha-512.")
            .withDefault("scram-sha-512");
    private static final TlsSwitch TLS =
            new TlsSwitch("Whether connections to brokers use TLS.", "the host name of its broker");

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^,;:\\s\\[\\]]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    private final ChannelSettings settings;

    KafkaSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(BOOTSTRAP_SERVERS, KEY, USERNAME, PASSWORD, MECHANISM));
        keys.addAll(TLS.all());
        keys.add(PROPERTIES);
        return keys;
    }

    void check(ChannelProblems problems) {
        if (settings.inUse() && bootstrapServers().isEmpty()) {
            problems.add(BOOTSTRAP_SERVERS, "is needed because delivery.* names kafka: host:port,host:port");
        }
        bootstrapServers()
                .filter(text -> !isAddresses(text))
                .ifPresent(text -> problems.add(BOOTSTRAP_SERVERS, "must be host:port, more than one separated by ,"));
        problems.addUnlessBoth(settings, USERNAME, PASSWORD);
        TLS.check(settings, problems);
    }

    private static boolean isAddresses(String text) {
        for (String address : text.split(",", -1)) {
            var matcher = ADDRESS.matcher(address.strip());
            if (!matcher.matches()) {
                return false;
            }
            int port = Integer.parseInt(matcher.group(2));
            if (port < 1 || port > MAX_PORT) {
                return false;
            }
        }
        return true;
    }

    /** Without blanks around it; empty = not given. */
    Optional<String> bootstrapServers() {
        return settings.find(BOOTSTRAP_SERVERS).map(String::strip).filter(text -> !text.isEmpty());
    }

    RecordKey key() {
        return settings.get(KEY);
    }

    Optional<String> username() {
        return settings.find(USERNAME);
    }

    Optional<Secret> password() {
        return settings.find(PASSWORD);
    }

    Mechanism mechanism() {
        return settings.get(MECHANISM);
    }

    /** Whether connections use TLS. */
    boolean tls() {
        return TLS.isOn(settings);
    }

    /** Whether a certificate must be issued for the host of the connection. */
    boolean verifiesHost() {
        return TLS.verifiesHost(settings);
    }

    Certificates certificates() {
        return TLS.certificates(settings);
    }

    /** The properties that the user gives to the producer, by name. */
    Map<String, Secret> properties() {
        return settings.family(PROPERTIES);
    }

    Duration sendTimeout() {
        return settings.sendTimeout();
    }

    /** The full name of a key, for messages to a person. */
    String name(ChannelKey<?> key) {
        return settings.name(key);
    }

    /** The full name of a property, for messages to a person. */
    String property(String name) {
        return settings.name(PROPERTIES, name);
    }

    /** {@code mykit.delay.kafka}, for messages to a person. */
    String section() {
        return settings.section();
    }

    /** The key of a record. */
    enum RecordKey {
        /** The business key; without one the subtopic; without both none. */
        BIZ_KEY,
        ID,
        NONE
    }

    /** How an account is shown to the broker. */
    enum Mechanism {
        PLAIN("PLAIN", "org.apache.kafka.common.security.plain.PlainLoginModule"),
        SCRAM_SHA_256("SCRAM-SHA-256", "org.apache.kafka.common.security.scram.ScramLoginModule"),
        SCRAM_SHA_512("SCRAM-SHA-512", "org.apache.kafka.common.security.scram.ScramLoginModule");

        private final String word;
        private final String module;

        Mechanism(String word, String module) {
            this.word = word;
            this.module = module;
        }

        /** As Kafka calls it. */
        String word() {
            return word;
        }

        /** The line with which the client library logs in. It holds the password. */
        String login(String username, Secret password) {
            return module + " required username=" + quoted(username) + " password=" + quoted(password.reveal()) + ";";
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }
}
