package io.mykit.delay.kafka;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.tls.TlsSwitch;
import io.mykit.delay.common.value.Secret;
import java.util.ArrayList;
import java.util.List;

/** The keys of a section that name brokers, the account there, and further properties of a client. Loads no class of the client library. Immutable. */
public final class ConnectionKeys {
    private final ChannelKey<String> servers;
    private final ChannelKey<Secret> properties;
    private final ChannelKey<String> username = ChannelKey.text(
            "username", "The account, for brokers that demand one (SASL); set it together with password.");
    private final ChannelKey<Secret> password = ChannelKey.secret("password", "The password of the account.");
    private final ChannelKey<Mechanism> mechanism = ChannelKey.word(
                    Mechanism.class,
                    "sasl-mechanism",
                    "How the account is shown: plain (the broker reads the password: with tls only), scram-sha-256 or"
                            + " scram-sha-512.")
            .withDefault("scram-sha-512");
    private final TlsSwitch tls =
            new TlsSwitch("Whether connections to brokers use TLS.", "the host name of its broker");

    /**
     * @param servers explains {@code bootstrap-servers}
     * @param properties explains {@code properties}
     */
    public ConnectionKeys(String servers, String properties) {
        this.servers = ChannelKey.text("bootstrap-servers", servers).ofHosts();
        this.properties = ChannelKey.secrets("properties", properties);
    }

    public ChannelKey<String> servers() {
        return servers;
    }

    /** The account and TLS. */
    public List<ChannelKey<?>> account() {
        List<ChannelKey<?>> keys = new ArrayList<>(List.of(username, password, mechanism));
        keys.addAll(tls.all());
        return keys;
    }

    public ChannelKey<Secret> properties() {
        return properties;
    }

    ChannelKey<String> username() {
        return username;
    }

    ChannelKey<Secret> password() {
        return password;
    }

    ChannelKey<Mechanism> mechanism() {
        return mechanism;
    }

    TlsSwitch tls() {
        return tls;
    }
}
