package io.mykit.delay.test.fault.rig;

import java.nio.file.Path;
import java.util.Locale;

/** Which broker a run delivers to. */
public enum BrokerKind {
    ACTIVEMQ,
    KAFKA,
    ROCKETMQ,
    /** A master that waits for its synchronous replica. */
    ROCKETMQ_PAIR;

    /** As on the command line. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Broker start(Path dir) {
        return switch (this) {
            case ACTIVEMQ -> new ActiveMqPart(dir);
            case KAFKA -> new KafkaPart(dir);
            case ROCKETMQ -> new RocketMqPart(dir);
            case ROCKETMQ_PAIR -> new RocketMqPair(dir);
        };
    }
}
