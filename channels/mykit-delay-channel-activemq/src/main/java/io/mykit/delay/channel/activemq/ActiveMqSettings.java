package io.mykit.delay.channel.activemq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.channel.tls.TlsKeys;
import io.mykit.delay.common.value.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.activemq.*}. Immutable. */
public final class ActiveMqSettings {
    /** The name of the channel. */
    public static final String CHANNEL = "activemq";

    /** The broker URL that stands for the broker inside the server. */
    public static final String EMBEDDED = "embedded";

    /** The port of the embedded broker if the configuration names none. */
    public static final int EMBEDDED_PORT = 61616;

    static final ChannelKey<String> BROKER_URL = ChannelKey.text(
                    "broker-url",
                    "embedded (a broker in this process, files in data-dir), or failover:(tcp://host:61616)")
            .withDefault(EMBEDDED);
    static final ChannelKey<Integer> PORT = ChannelKey.number(
            "embedded-port",
            "The port of the embedded broker on 127.0.0.1; 0 = any free port. Empty = 61616, or another free port if"
                    + " that one is taken (the log says which).");

    private static final ChannelKey<String> USERNAME = ChannelKey.text("username", "The account.");
    private static final ChannelKey<Secret> PASSWORD = ChannelKey.secret("password", "The password of the account.");
    private static final TlsKeys TLS = new TlsKeys("For ssl://, also inside failover:().");
    private static final ChannelKey<Destination> DESTINATION = ChannelKey.word(
                    Destination.class, "destination", "The kind of destination that a topic goes to: queue or topic.")
            .withDefault("queue");
    private static final ChannelKey<Format> FORMAT = ChannelKey.word(
                    Format.class,
                    "format",
                    "The text of each JMS message: body, or job for consumers written for 1.x, which get the JSON of the"
                            + " whole message: {\"bizKey\":\"\",\"body\":\"...\",\"createTime\":...,\"delay\":...,\"id\":\"...\",\"status\":2,"
                            + "\"subtopic\":\"\",\"topic\":\"...\",\"ttl\":0}")
            .withDefault("body");

    private static final Pattern URL = Pattern.compile("embedded|[a-z+]+:\\S+");
    private static final Pattern TLS_URL = Pattern.compile("(?i).*\\b(ssl|nio\\+ssl|auto\\+ssl|wss|https)://.*");
    private static final int MAX_PORT = 65_535;

    private static final Pattern USER_INFO = Pattern.compile("(?<=//)[^/@]*@");
    private static final Pattern PARAMETERS = Pattern.compile("[?;].*");

    private final ChannelSettings settings;

    public ActiveMqSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(BROKER_URL, USERNAME, PASSWORD));
        keys.addAll(TLS.all());
        keys.addAll(List.of(DESTINATION, FORMAT, PORT));
        return keys;
    }

    void check(ChannelProblems problems) {
        if (settings.find(PORT).filter(port -> port < 0 || port > MAX_PORT).isPresent()) {
            problems.add(PORT, "must be from 0 to " + MAX_PORT);
        }
        if (!URL.matcher(brokerUrl()).matches()) {
            problems.add(BROKER_URL, "must be embedded or a URL of the client, such as failover:(tcp://host:61616)");
        }
        boolean tls = TLS_URL.matcher(brokerUrl()).matches();
        TLS.check(settings, problems, tls, "a " + settings.name(BROKER_URL) + " with ssl://");
    }

    public String brokerUrl() {
        return settings.get(BROKER_URL);
    }

    /** The broker URL without user, password and parameters. */
    String address() {
        return PARAMETERS.matcher(USER_INFO.matcher(brokerUrl()).replaceAll("")).replaceAll("");
    }

    public boolean isEmbedded() {
        return brokerUrl().equals(EMBEDDED);
    }

    /** The configured port; 0 = any free port. */
    public Optional<Integer> embeddedPort() {
        return settings.find(PORT);
    }

    Optional<String> username() {
        return settings.find(USERNAME);
    }

    Optional<Secret> password() {
        return settings.find(PASSWORD);
    }

    Certificates certificates() {
        return TLS.read(settings);
    }

    Destination destination() {
        return settings.get(DESTINATION);
    }

    Format format() {
        return settings.get(FORMAT);
    }

    /** The full name of a key, for messages to a person. */
    String name(ChannelKey<?> key) {
        return settings.name(key);
    }

    /** The kind of ActiveMQ destination for a topic. */
    enum Destination {
        QUEUE,
        TOPIC
    }

    /** The text of a JMS message. */
    enum Format {
        /** The body as the producer sent it. */
        BODY,
        /** The JSON of the whole message, as 1.x sent it. */
        JOB
    }
}
