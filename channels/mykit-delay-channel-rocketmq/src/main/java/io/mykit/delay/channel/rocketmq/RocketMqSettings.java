package io.mykit.delay.channel.rocketmq;

import io.mykit.delay.channel.ChannelKey;
import io.mykit.delay.channel.ChannelProblems;
import io.mykit.delay.channel.ChannelSettings;
import io.mykit.delay.channel.tls.Certificates;
import io.mykit.delay.channel.tls.TlsSwitch;
import io.mykit.delay.common.value.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The section {@code mykit.delay.rocketmq.*}. Immutable. */
final class RocketMqSettings {
    static final ChannelKey<String> NAMESRV_ADDR = ChannelKey.text(
                    "namesrv-addr", "Name servers, host:port;host:port. Required if a topic goes to rocketmq.")
            .ofHosts();
    static final ChannelKey<String> PRODUCER_GROUP = ChannelKey.text(
                    "producer-group", "The group that the producer reports itself as.")
            .withDefault("mykit-delay");

    private static final ChannelKey<String> ACCESS_KEY =
            ChannelKey.text("access-key", "The account, for brokers with access control; set both or none.");
    private static final ChannelKey<Secret> SECRET_KEY = ChannelKey.secret("secret-key", "The secret of the account.");
    private static final ChannelKey<String> NAMESPACE = ChannelKey.text(
            "namespace",
            "The prefix of each topic and of the group (namespace%topic); consumers set the same. At most 64 characters.");
    private static final TlsSwitch TLS = new TlsSwitch(
            "Whether connections to name servers and brokers use TLS.", "the host name that the name servers give");
    private static final ChannelKey<StoredUnconfirmed> STORED_UNCONFIRMED = ChannelKey.word(
                    StoredUnconfirmed.class,
                    "stored-unconfirmed",
                    "The outcome of a message that the broker stored, but did not flush or replicate in time: delivered, or"
                            + " unavailable (the topic backs off, and each retry stores one more copy). Both need delivery.send-timeout"
                            + " above the broker's slaveTimeout (3s) and syncFlushTimeout (5s).")
            .withDefault("delivered");

    private static final Pattern GROUP = Pattern.compile("[%|A-Za-z0-9_-]{1,255}");
    /** The separator of RocketMQ is %. Its topics have at most 127 characters, including the namespace. */
    private static final Pattern NAMESPACES = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private final ChannelSettings settings;

    RocketMqSettings(ChannelSettings settings) {
        this.settings = settings;
    }

    static List<ChannelKey<?>> keys() {
        List<ChannelKey<?>> keys =
                new ArrayList<>(List.of(NAMESRV_ADDR, PRODUCER_GROUP, ACCESS_KEY, SECRET_KEY, NAMESPACE));
        keys.addAll(TLS.all());
        keys.add(STORED_UNCONFIRMED);
        return keys;
    }

    void check(ChannelProblems problems) {
        if (!GROUP.matcher(producerGroup()).matches()) {
            problems.add(PRODUCER_GROUP, "must be 1 to 255 of A-Z a-z 0-9 % | _ -");
        }
        if (settings.inUse() && namesrvAddr().filter(text -> !text.isBlank()).isEmpty()) {
            problems.add(NAMESRV_ADDR, "is needed because delivery.* names rocketmq: host:port;host:port");
        }
        problems.addUnlessBoth(settings, ACCESS_KEY, SECRET_KEY);
        if (settings.find(NAMESPACE)
                .filter(text -> !NAMESPACES.matcher(text).matches())
                .isPresent()) {
            problems.add(NAMESPACE, "must be 1 to 64 of A-Z a-z 0-9 _ -");
        }
        TLS.check(settings, problems);
    }

    Optional<String> namesrvAddr() {
        return settings.find(NAMESRV_ADDR);
    }

    String producerGroup() {
        return settings.get(PRODUCER_GROUP);
    }

    /** The name of the account, for brokers with access control. */
    Optional<String> accessKey() {
        return settings.find(ACCESS_KEY);
    }

    Optional<Secret> secretKey() {
        return settings.find(SECRET_KEY);
    }

    /** The prefix of each topic and of the group, as in {@code namespace%topic}. */
    Optional<String> namespace() {
        return settings.find(NAMESPACE);
    }

    /** Whether connections to name servers and brokers use TLS. */
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

    StoredUnconfirmed storedUnconfirmed() {
        return settings.get(STORED_UNCONFIRMED);
    }

    Duration sendTimeout() {
        return settings.sendTimeout();
    }

    /** The full name of a key, for messages to a person. */
    String name(ChannelKey<?> key) {
        return settings.name(key);
    }

    /** {@code mykit.delay.rocketmq}, for messages to a person. */
    String section() {
        return settings.section();
    }

    /** The fate of a message that the broker stored and did not flush or replicate in time. */
    enum StoredUnconfirmed {
        /** The broker has the message, and consumers get it. */
        DELIVERED,
        /** The topic backs off. The bridge sends the message again, and each retry stores one more copy. */
        UNAVAILABLE
    }
}
