package io.mykit.delay.channel.rabbitmq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.TopicValues;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.channel.tls.TlsSwitch;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.rabbitmq.*}. Immutable. */
final class RabbitMqSettings {
    /** The name of the channel. */
    static final String CHANNEL = "rabbitmq";

    static final ChannelKey<String> ADDRESSES = ChannelKey.text(
                    "addresses",
                    "Brokers of one cluster, host:port,host:port; the first one that answers is used. Required if a topic goes to"
                            + " rabbitmq.")
            .ofHosts();
    static final ChannelKey<String> VIRTUAL_HOST = ChannelKey.text(
                    "virtual-host", "The virtual host, at most 255 bytes of UTF-8.")
            .withDefault("/");
    static final ChannelKey<String> USERNAME = ChannelKey.text(
            "username",
            "The account; set both or none. Empty = guest, which RabbitMQ lets in from its own machine only.");
    static final ChannelKey<Secret> PASSWORD = ChannelKey.secret("password", "The password of the account.");
    private static final TlsSwitch TLS = new TlsSwitch(
            "Whether connections use TLS (amqps://, usually on port 5671).", "the host name in addresses");
    private static final ChannelKey<String> EXCHANGE = ChannelKey.text(
                    "exchange",
                    "The exchange that gets the messages, at most 255 bytes of UTF-8; it must exist. Empty or amq.default = the"
                            + " default exchange, where the routing key is the name of a queue.")
            .perTopic();
    private static final ChannelKey<String> ROUTING_KEY = ChannelKey.text(
                    "routing-key",
                    "The routing key of each message, with {topic} and {subtopic} for those of the message; at most 255 bytes"
                            + " of UTF-8.")
            .perTopic()
            .withDefault("{topic}");

    private static final Pattern ADDRESS = Pattern.compile("([^\\s,:/@\\[\\]]+|\\[[0-9a-fA-F:.]+]):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;
    /** The name that RabbitMQ's HTTP interface has for the exchange without a name. */
    private static final String DEFAULT_EXCHANGE = "amq.default";

    private final ChannelSettings settings;

    RabbitMqSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(ADDRESSES, VIRTUAL_HOST, USERNAME, PASSWORD));
        keys.addAll(TLS.all());
        keys.addAll(List.of(EXCHANGE, ROUTING_KEY));
        return keys;
    }

    void check(ChannelProblems problems) {
        if (settings.inUse() && addresses().filter(text -> !text.isBlank()).isEmpty()) {
            problems.add(ADDRESSES, "is needed because delivery.* names rabbitmq: host:port,host:port");
        } else if (addresses().filter(text -> !areAddresses(text)).isPresent()) {
            problems.add(ADDRESSES, "must be host:port, more than one separated by commas, without amqp://");
        }
        if (isTooLong(virtualHost())) {
            problems.add(VIRTUAL_HOST, "must have at most " + RoutingKey.MAX_BYTES + " bytes of UTF-8");
        }
        problems.addUnlessBoth(settings, USERNAME, PASSWORD);
        TLS.check(settings, problems);
        checkNames(problems);
    }

    private void checkNames(ChannelProblems problems) {
        String tooLong = "must have at most " + RoutingKey.MAX_BYTES + " bytes of UTF-8";
        TopicValues<String> exchanges = settings.byTopic(EXCHANGE);
        if (exchanges.ofSection().filter(RabbitMqSettings::isTooLong).isPresent()) {
            problems.add(EXCHANGE, tooLong);
        }
        for (Map.Entry<String, String> exchange : exchanges.own().entrySet()) {
            if (isTooLong(exchange.getValue())) {
                problems.add(EXCHANGE, exchange.getKey(), tooLong);
            }
        }
        TopicValues<String> keys = settings.byTopic(ROUTING_KEY);
        keys.ofSection().flatMap(RabbitMqSettings::badPattern).ifPresent(bad -> problems.add(ROUTING_KEY, bad));
        keys.own().forEach((topic, key) -> badPattern(key).ifPresent(bad -> problems.add(ROUTING_KEY, topic, bad)));
    }

    private static Optional<String> badPattern(String pattern) {
        try {
            return new RoutingKey(pattern).pattern().isBlank() ? Optional.of("must not be blank") : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    private static boolean isTooLong(String name) {
        return RoutingKey.bytes(name) > RoutingKey.MAX_BYTES;
    }

    /** Whether each is host:port with a port that exists. */
    static boolean areAddresses(String text) {
        return List.of(text.split(",", -1)).stream().map(String::strip).allMatch(address -> {
            var parts = ADDRESS.matcher(address);
            return parts.matches()
                    && Integer.parseInt(parts.group(2)) > 0
                    && Integer.parseInt(parts.group(2)) <= MAX_PORT;
        });
    }

    Optional<String> addresses() {
        return settings.find(ADDRESSES);
    }

    String virtualHost() {
        return settings.get(VIRTUAL_HOST);
    }

    Optional<String> username() {
        return settings.find(USERNAME);
    }

    Optional<Secret> password() {
        return settings.find(PASSWORD);
    }

    /** The key that turns TLS on, and its value, for messages to a person. */
    String tlsSetting() {
        return TLS.name(settings) + " = " + tls();
    }

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

    /** The exchange of each topic; the empty name is the default exchange. */
    TopicValues<String> exchanges() {
        return settings.byTopic(EXCHANGE).map(name -> name.equals(DEFAULT_EXCHANGE) ? "" : name);
    }

    TopicValues<RoutingKey> routingKeys() {
        return settings.byTopic(ROUTING_KEY).map(RoutingKey::new);
    }

    Duration sendTimeout() {
        return settings.sendTimeout();
    }

    /** The full name of a key, for messages to a person. */
    String name(ChannelKey<?> key) {
        return settings.name(key);
    }
}
