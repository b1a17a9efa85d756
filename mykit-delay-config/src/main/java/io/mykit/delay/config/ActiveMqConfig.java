package io.mykit.delay.config;

import io.smallrye.config.WithDefault;
import java.util.Optional;

/** {@code mykit.delay.activemq.*} */
public interface ActiveMqConfig extends TlsStores {
    String EMBEDDED = "embedded";

    /** {@code embedded}, or {@code failover:(tcp://...)}. */
    @WithDefault(EMBEDDED)
    String brokerUrl();

    Optional<String> username();

    Optional<Secret> password();

    @WithDefault("queue")
    Destination destination();

    @WithDefault("body")
    Format format();

    /** Where the embedded broker listens on loopback; 0 = any free port. */
    @WithDefault("61616")
    int embeddedPort();

    /** What a topic of ours is over there. */
    enum Destination {
        QUEUE,
        TOPIC
    }

    /** What the text of a message is over there. */
    enum Format {
        /** What the producer sent as its body. */
        BODY,
        /** The JSON of the whole message, as 1.x sent it. */
        JOB
    }
}
