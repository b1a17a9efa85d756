package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.rocketmq.*} */
public interface RocketMqConfig extends TlsStores {
    /** {@code host:port;host:port} */
    Optional<String> namesrvAddr();

    @WithDefault("mykit-delay")
    String producerGroup();

    /** The account's name, for brokers with access control. */
    Optional<String> accessKey();

    Optional<Secret> secretKey();

    /** Goes before each topic and the group, as in {@code namespace%topic}. */
    Optional<String> namespace();

    /** To name servers and brokers alike. */
    @WithDefault("false")
    boolean tls();

    /** Whether a certificate must be made out to the host that is connected to. */
    @WithDefault("true")
    boolean tlsVerifyHost();

    /** What a message is that the broker stored and did not flush or replicate in time. */
    @WithDefault("delivered")
    StoredUnconfirmed storedUnconfirmed();

    /** The fate of such a message. */
    enum StoredUnconfirmed {
        /** It is in the broker and consumers get it. */
        DELIVERED,
        /** Its topic backs off; it is sent again, and stored once more with each try. */
        UNAVAILABLE
    }
}
