package io.mykit.delay.kafka;

import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.common.value.Secret;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The brokers of a section, and how to connect to them. Loads no class of the client library. Immutable. */
public final class Connection {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[^,;:\\s\\[\\]]+):(\\d{1,5})");
    private static final int MAX_PORT = 65_535;

    private static final Set<String> OF_ACCOUNT = Set.of("sasl.mechanism", "sasl.jaas.config");
    private static final Set<String> OF_TLS =
            Set.of("ssl.engine.factory.class", "ssl.endpoint.identification.algorithm");

    private final ConnectionKeys keys;
    private final ChannelSettings settings;

    /** The connection that these settings describe. */
    public Connection(ConnectionKeys keys, ChannelSettings settings) {
        this.keys = keys;
        this.settings = settings;
    }

    /**
     * Adds the problems of all keys of the connection.
     *
     * @param own the properties that a user may not give, each with its reason, in the form {@code cannot be set: ...}
     */
    public void check(ChannelProblems problems, Map<String, String> own) {
        bootstrapServers()
                .filter(text -> !isAddresses(text))
                .ifPresent(text -> problems.add(keys.servers(), "must be host:port, more than one separated by ,"));
        problems.addUnlessBoth(settings, keys.username(), keys.password());
        keys.tls().check(settings, problems);
        properties().keySet().forEach(name -> objection(name, own)
                .ifPresent(objection -> problems.add(keys.properties(), name, objection)));
    }

    private Optional<String> objection(String name, Map<String, String> own) {
        if (name.equals("bootstrap.servers")) {
            return Optional.of("cannot be set: use " + settings.name(keys.servers()));
        }
        if (own.containsKey(name)) {
            return Optional.of(own.get(name));
        }
        boolean account = username().isPresent();
        if (account && OF_ACCOUNT.contains(name)) {
            return Optional.of("excludes " + section() + ".username: use one of them");
        }
        if ((account || tls()) && name.equals("security.protocol")) {
            return Optional.of("cannot be set: it follows from " + section() + ".tls and .username");
        }
        if (tls() && (OF_TLS.contains(name) || name.startsWith("ssl.truststore") || name.startsWith("ssl.key"))) {
            return Optional.of("excludes " + section() + ".tls: use its trust-store, key-store and tls-verify-host");
        }
        return Optional.empty();
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
    public Optional<String> bootstrapServers() {
        return settings.find(keys.servers()).map(String::strip).filter(text -> !text.isEmpty());
    }

    Optional<String> username() {
        return settings.find(keys.username());
    }

    Optional<Secret> password() {
        return settings.find(keys.password());
    }

    Mechanism mechanism() {
        return settings.get(keys.mechanism());
    }

    /** Whether connections use TLS. */
    boolean tls() {
        return keys.tls().isOn(settings);
    }

    /** Whether a certificate must be issued for the host of the connection. */
    boolean verifiesHost() {
        return keys.tls().verifiesHost(settings);
    }

    Certificates certificates() {
        return keys.tls().certificates(settings);
    }

    /** The properties that the user gives to the client, by name. */
    public Map<String, Secret> properties() {
        return settings.family(keys.properties());
    }

    /** The full name of a property, for messages to a person. */
    public String property(String name) {
        return settings.name(keys.properties(), name);
    }

    /** The full name of all properties, for messages to a person. */
    String properties(String otherwise) {
        return settings.name(keys.properties()) + otherwise;
    }

    /** {@code mykit.delay.<section>}, for messages to a person. */
    public String section() {
        return settings.section();
    }

    /** Leaves the values out, because some are secrets. */
    @Override
    public String toString() {
        return "Connection[" + section() + "]";
    }
}
